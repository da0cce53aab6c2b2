// A process that becomes another program stays the one that is recorded: the probe goes along where it can, under
// the next number. Its children do not have it.
//
// Not followed: fexecve, execveat and system calls of the program's own. Then the probe ends with the exec.

#include "preload.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef int (*exec_function)(const char *, char *const[], char *const[]);

static exec_function real_execve, real_execvpe;
static char own_path[CRP_PATH_SIZE];

void *cpl_next(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor(1600))) static void find_functions(void) {
  real_execve = (exec_function)cpl_next("execve");
  real_execvpe = (exec_function)cpl_next("execvpe");
  Dl_info info;
  if (dladdr((void *)find_functions, &info) != 0 && info.dli_fname != NULL && strlen(info.dli_fname) < sizeof own_path) {
    strcpy(own_path, info.dli_fname);
  }
}

static bool begins(const char *text, const char *name) {
  size_t length = strlen(name);
  return strncmp(text, name, length) == 0 && text[length] == '=';
}

enum { ADDED = 5 };

// The environment with the request for the next program in front.
static void extend(char **out, char *const environment[], char lines[ADDED][CRP_PATH_SIZE * 2]) {
  size_t used = 0;
  const char *preload = cpl_user_preload();
  for (size_t i = 0; environment != NULL && environment[i] != NULL; i++) {
    if (begins(environment[i], "LD_PRELOAD")) preload = environment[i] + sizeof "LD_PRELOAD";
  }
  bool has = preload != NULL && *preload != 0 && strlen(preload) < CRP_PATH_SIZE;
  snprintf(lines[0], sizeof lines[0], "LD_PRELOAD=%s%s%s", own_path, has ? ":" : "", has ? preload : "");
  snprintf(lines[1], sizeof lines[1], CRP_VARIABLE_PREFIX "=%s", crr_prefix());
  snprintf(lines[2], sizeof lines[2], CRP_VARIABLE_PARENT "=%ld", crr_parent());
  snprintf(lines[3], sizeof lines[3], CRP_VARIABLE_NUMBER "=%u", crr_number() + 1);
  snprintf(lines[4], sizeof lines[4], CRP_VARIABLE_PRELOAD "=%s", has ? preload : "");
  for (int i = 0; i < (has ? ADDED : ADDED - 1); i++) out[used++] = lines[i];
  for (size_t i = 0; environment != NULL && environment[i] != NULL; i++) {
    if (!begins(environment[i], "LD_PRELOAD")) out[used++] = environment[i];
  }
  out[used] = NULL;
}

static int become(exec_function real, const char *file, const char *path, char *const arguments[],
                  char *const environment[]) {
  if (!crr_is_recorded()) return real(file, arguments, environment);
  size_t count = 0;
  while (environment != NULL && environment[count] != NULL) count++;
  char **extended = alloca((count + ADDED + 1) * sizeof(char *));
  char (*lines)[CRP_PATH_SIZE * 2] = alloca(ADDED * sizeof *lines);
  bool goes_along = own_path[0] != 0 && cpl_takes_preload(path);
  if (goes_along) extend(extended, environment, lines);
  crr_executes(path);
  int result = real(file, arguments, goes_along ? extended : environment);
  int error = errno;
  crr_executes(NULL);
  errno = error;
  return result;
}

// Where execvp would find the file; the file itself where it finds none.
static const char *found(const char *file, char *buffer, size_t size) {
  if (strchr(file, '/') != NULL) return file;
  const char *path = getenv("PATH");
  for (const char *at = path != NULL ? path : "/bin:/usr/bin"; *at != 0;) {
    size_t length = strcspn(at, ":");
    snprintf(buffer, size, "%.*s%s%s", (int)length, at, length > 0 ? "/" : "", file);
    if (access(buffer, X_OK) == 0) return buffer;
    at += length + (at[length] == ':');
  }
  return file;
}

// MARK: The C library's functions

int execve(const char *path, char *const arguments[], char *const environment[]) {
  return become(real_execve, path, path, arguments, environment);
}

int execv(const char *path, char *const arguments[]) { return become(real_execve, path, path, arguments, environ); }

int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  char buffer[1024];
  return become(real_execvpe, file, found(file, buffer, sizeof buffer), arguments, environment);
}

int execvp(const char *file, char *const arguments[]) { return execvpe(file, arguments, environ); }

// The arguments of a call of one of the variadic functions as an array, on the stack.
#define CPL_GATHER(first, arguments, list)                                                \
  size_t argument_count = 1;                                                              \
  va_start(list, first);                                                                  \
  while (va_arg(list, char *) != NULL) argument_count++;                                  \
  va_end(list);                                                                           \
  char **arguments = alloca((argument_count + 1) * sizeof(char *));                       \
  va_start(list, first);                                                                  \
  arguments[0] = (char *)(first);                                                         \
  for (size_t i = 1; i <= argument_count; i++) arguments[i] = va_arg(list, char *)

int execl(const char *path, const char *first, ...) {
  va_list list;
  CPL_GATHER(first, arguments, list);
  va_end(list);
  return execv(path, arguments);
}

int execlp(const char *file, const char *first, ...) {
  va_list list;
  CPL_GATHER(first, arguments, list);
  va_end(list);
  return execvp(file, arguments);
}

int execle(const char *path, const char *first, ...) {
  va_list list;
  CPL_GATHER(first, arguments, list);
  char *const *environment = va_arg(list, char *const *);
  va_end(list);
  return execve(path, arguments, environment);
}

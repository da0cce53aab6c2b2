// Processes that end with the one that started them.
#define _GNU_SOURCE
#include "CDeterminism.h"

#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

bool cdt_end_with_parent(int parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
  // The parent may have ended before the call.
  return getppid() == parent;
}

int cdt_fork(void) {
  int parent = getpid();
  int process = fork();
  if (process != 0) return process;
  // A copy that outlives what it was copied from is nobody's.
  if (!cdt_end_with_parent(parent)) _exit(1);
  static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  return 0;
}

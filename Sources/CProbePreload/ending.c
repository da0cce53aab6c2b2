// Ends of the process that run no destructor, and signals that it sends to itself.

#include "preload.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

typedef void (*ending_function)(int) __attribute__((noreturn));

static void ends(const char *name, int status) __attribute__((noreturn));

// glibc's _exit and _Exit are one system call; quick_exit runs its own handlers first.
static void ends(const char *name, int status) {
  crr_program_ends();
  ending_function real = (ending_function)cpl_next(name);
  real(status);
}

void _exit(int status) { ends("_exit", status); }
void _Exit(int status) { ends("_Exit", status); }
void quick_exit(int status) { ends("quick_exit", status); }

int kill(pid_t process, int signal_number) {
  if (process == getpid()) crr_sends_itself(signal_number);
  int (*real)(pid_t, int) = (int (*)(pid_t, int))cpl_next("kill");
  return real(process, signal_number);
}

int raise(int signal_number) {
  crr_sends_itself(signal_number);
  int (*real)(int) = (int (*)(int))cpl_next("raise");
  return real(signal_number);
}

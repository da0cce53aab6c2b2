// Ends of the process that run no destructor.

#include "preload.h"

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

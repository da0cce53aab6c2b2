// Processes that end with the one that started them.
#define _GNU_SOURCE
#include "CDeterminism.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

bool cdt_end_with_parent(int parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
  // The parent may have ended before the call.
  return getppid() == parent;
}

// Asking the probe of a recorded program, from within or from outside.

#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

static const int64_t answer_limit = 250000000;

static void wait_while(uint32_t *word, uint32_t value, int64_t nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  syscall(SYS_futex, word, FUTEX_WAIT, value, &time, NULL, 0);
}

bool crp_recording_ask(void *base, uint32_t command) {
  crp_recording *control = base;
  uint32_t answers = __atomic_load_n(&control->answers, __ATOMIC_ACQUIRE);
  __atomic_fetch_or(&control->command, command, __ATOMIC_RELEASE);
  syscall(SYS_futex, &control->command, FUTEX_WAKE, 1, NULL, NULL, 0);
  int64_t end = crp_raw_monotonic() + answer_limit;
  while (__atomic_load_n(&control->answers, __ATOMIC_ACQUIRE) == answers) {
    int64_t left = end - crp_raw_monotonic();
    if (left <= 0) return false;
    wait_while(&control->answers, answers, left);
  }
  return true;
}

bool crp_file_gives_rights(int file) {
  struct stat status;
  if (fstat(file, &status) != 0) return true;
  if ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid()) return true;
  if ((status.st_mode & S_ISGID) != 0 && status.st_gid != getegid()) return true;
  return fgetxattr(file, "security.capability", NULL, 0) > 0;
}

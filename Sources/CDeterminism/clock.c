// clock_gettime and its relatives, and who sees them virtual.
//
// clock_gettime is called before constructors run (by jemalloc), when neither dlsym nor malloc may be
// used: the kernel answers until the constructor here has found the real function, which is quicker.
#define _GNU_SOURCE
#include "cdt_internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>

enum { PASS_THROUGH = 0, ENABLED = 1, SUSPENDED = 2 };

static _Atomic(int) mode = PASS_THROUGH;
static _Atomic(uint64_t) owner;
static _Atomic(uint64_t) now;

typedef int (*clock_function)(clockid_t, struct timespec *);
static _Atomic(clock_function) real_clock;

__attribute__((constructor)) static void find_real_clock(void) {
  atomic_store_explicit(&real_clock, (clock_function)dlsym(RTLD_NEXT, "clock_gettime"), memory_order_release);
}

int cdt_real_clock_gettime(clockid_t clock, struct timespec *result) {
  clock_function real = atomic_load_explicit(&real_clock, memory_order_acquire);
  if (real) return real(clock, result);
  long outcome = cdt_kernel(SYS_clock_gettime, clock, (long)result, 0, 0, 0, 0);
  if (outcome == 0) return 0;
  errno = (int)-outcome;
  return -1;
}

bool cdt_is_enabled(void) { return atomic_load_explicit(&mode, memory_order_relaxed) != PASS_THROUGH; }

bool cdt_is_owner(void) {
  return atomic_load_explicit(&owner, memory_order_relaxed) == (uint64_t)pthread_self();
}

bool cdt_applies(void) {
  return atomic_load_explicit(&mode, memory_order_relaxed) == ENABLED && cdt_is_owner();
}

void cdt_enable(uint64_t seed) {
  cdt_seed(seed);
  atomic_store(&owner, (uint64_t)pthread_self());
  atomic_store(&mode, ENABLED);
}

void cdt_disable(void) { atomic_store(&mode, PASS_THROUGH); }

void cdt_suspend(void) { atomic_store_explicit(&mode, SUSPENDED, memory_order_relaxed); }

void cdt_resume(void) { atomic_store_explicit(&mode, ENABLED, memory_order_relaxed); }

void cdt_set_now(uint64_t nanoseconds) { atomic_store_explicit(&now, nanoseconds, memory_order_relaxed); }

uint64_t cdt_now(void) { return atomic_load_explicit(&now, memory_order_relaxed); }

uint64_t cdt_raw_monotonic_ns(void) {
  struct timespec reading;
  cdt_real_clock_gettime(CLOCK_MONOTONIC, &reading);
  return (uint64_t)reading.tv_sec * 1000000000u + (uint64_t)reading.tv_nsec;
}

void cdt_raw_sleep(uint64_t nanoseconds) {
  struct timespec wish = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
  cdt_kernel(SYS_nanosleep, (long)&wish, 0, 0, 0, 0, 0);
}

/// Seconds that `clock` reads at virtual time 0, or -1 where the clock stays real (CPU time, hardware clocks).
static int64_t virtual_epoch(clockid_t clock) {
  switch (clock) {
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_BOOTTIME:
  case CLOCK_BOOTTIME_ALARM:
    return CDT_VIRTUAL_UPTIME_SECONDS;
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_REALTIME_ALARM:
  case CLOCK_TAI:
    return CDT_VIRTUAL_EPOCH_SECONDS;
  default:
    return -1;
  }
}

int clock_gettime(clockid_t clock, struct timespec *result) {
  if (cdt_applies()) {
    int64_t epoch = virtual_epoch(clock);
    if (epoch >= 0) {
      uint64_t reading = cdt_now();
      result->tv_sec = (time_t)(epoch + (int64_t)(reading / 1000000000u));
      result->tv_nsec = (long)(reading % 1000000000u);
      return 0;
    }
  }
  return cdt_real_clock_gettime(clock, result);
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  (void)zone;
  struct timespec reading;
  int outcome = clock_gettime(CLOCK_REALTIME, &reading);
  if (outcome != 0) return outcome;
  result->tv_sec = reading.tv_sec;
  result->tv_usec = reading.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *result) {
  struct timespec reading;
  clock_gettime(CLOCK_REALTIME, &reading);
  if (result) *result = reading.tv_sec;
  return reading.tv_sec;
}

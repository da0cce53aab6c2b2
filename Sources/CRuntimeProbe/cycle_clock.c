// The clock on the path of a switch: the processor's cycle counter where it runs evenly, else clock_gettime.

#define _GNU_SOURCE
#include <time.h>

#include "internal.h"

#if CRP_SUPPORTED

#include <cpuid.h>

bool crp_has_cycle_counter;
static double nanoseconds_per_tick = 1;
static uint64_t first_ticks;
static int64_t first_time;

// "Invariant TSC": CPUID leaf 0x80000007, EDX bit 8. The counter then ticks at one rate in all power states.
static bool counter_is_invariant(void) {
  uint32_t a, b, c, d;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8)) != 0;
}

uint64_t crp_ticks_taken_slow(void) {
  struct timespec time = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// The counter and the kernel's clock at one moment: of several tries the one that took least.
static void read_both(uint64_t *ticks, int64_t *time) {
  uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < 16; i++) {
    uint64_t before = __builtin_ia32_rdtsc();
    int64_t now = crp_raw_monotonic();
    uint64_t after = __builtin_ia32_rdtsc();
    if (after - before >= least) continue;
    least = after - before;
    *ticks = before + (after - before) / 2;
    *time = now;
  }
}

void crp_clock_pair(uint64_t *ticks, int64_t *time) {
  if (crp_has_cycle_counter) return read_both(ticks, time);
  *time = crp_raw_monotonic();
  *ticks = (uint64_t)*time;
}

void crp_cycle_counter_now(uint64_t *ticks, int64_t *time) { read_both(ticks, time); }

static double rate_since_first(void) {
  uint64_t ticks = 0;
  int64_t time = 0;
  read_both(&ticks, &time);
  return ticks > first_ticks ? (double)(time - first_time) / (double)(ticks - first_ticks) : 0;
}

// Once for each process; takes two milliseconds.
void crp_calibrate_clock(void) {
  if (first_ticks == 0) {
    first_ticks = 1;
    if (counter_is_invariant()) {
      read_both(&first_ticks, &first_time);
      int64_t now;
      do now = crp_raw_monotonic();
      while (now - first_time < 2000000);
      double rate = rate_since_first();
      if (rate > 0.01 && rate < 100) {
        nanoseconds_per_tick = rate;
        crp_has_cycle_counter = true;
      }
    }
  }
  crp_header()->clock_nanoseconds = nanoseconds_per_tick;
}

uint64_t crp_nanoseconds(uint64_t ticks) {
  // A difference that comes out negative, between two cores, is none.
  return (int64_t)ticks < 0 ? 0 : (uint64_t)((double)ticks * nanoseconds_per_tick);
}

double crp_clock_drift(void) {
  if (!crp_has_cycle_counter) return 0;
  double rate = rate_since_first();
  return rate > 0 ? rate / nanoseconds_per_tick - 1 : 1;
}

bool crp_clock_is_cycle_counter(void) { return crp_has_cycle_counter; }

#else

void crp_cycle_counter_now(uint64_t *ticks, int64_t *time) { *ticks = 0, *time = crp_raw_monotonic(); }
double crp_clock_drift(void) { return 0; }
bool crp_clock_is_cycle_counter(void) { return false; }

#endif

// Shared between the files of this target.
#ifndef CDT_INTERNAL_H
#define CDT_INTERNAL_H

#include "CDeterminism.h"

#include <stddef.h>
#include <time.h>

/// True when the calling thread is the owner, enabled and not suspended.
bool cdt_applies(void);

/// The kernel, without the C library: nothing here may depend on relocations or on errno.
/// Returns -errno on failure.
long cdt_kernel(long number, long a, long b, long c, long d, long e, long f);

/// The real clock_gettime. Before constructors have run: the kernel.
int cdt_real_clock_gettime(clockid_t clock, struct timespec *result);

/// Fills the buffer from the seeded stream.
void cdt_fill(void *buffer, size_t length);

/// Starts the seeded stream.
void cdt_seed(uint64_t seed);

#endif

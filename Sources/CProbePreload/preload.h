#ifndef CPL_PRELOAD_H
#define CPL_PRELOAD_H

#define _GNU_SOURCE
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "own.h"

#define CPL_HIDDEN __attribute__((visibility("hidden")))

// The LD_PRELOAD that the program would have had; NULL: none.
CPL_HIDDEN const char *cpl_user_preload(void);

// Whether the probe can be preloaded into the program at `path`: a file for this machine and the system's own
// loader that gives it no rights of its own, or a script for one.
CPL_HIDDEN bool cpl_takes_preload(const char *path);

// The next definition of a function behind ours.
CPL_HIDDEN void *cpl_next(const char *name);

#endif

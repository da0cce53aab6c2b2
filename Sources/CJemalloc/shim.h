#ifndef CJEMALLOC_SHIM_H
#define CJEMALLOC_SHIM_H

#include <jemalloc/jemalloc.h>

// The pseudo arena that stands for all of them in the names below stats.arenas; a macro Swift does not import.
static inline size_t cjemalloc_all_arenas(void) { return MALLCTL_ARENAS_ALL; }

#endif

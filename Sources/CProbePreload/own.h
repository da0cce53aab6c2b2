// Before everything that is compiled into the preload library.
//
// It is never linked with --wrap, whatever the rest of the build is.
// The probe's own functions are for the library alone: a program may have a probe of its own under the same names.

#undef CRP_WRAP

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)
#include "CProbeRecording.h"
#include "CRuntimeProbe.h"
#pragma GCC visibility pop

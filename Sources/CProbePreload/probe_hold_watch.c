#define _GNU_SOURCE
#include "weak_runtime.h"

// The ends of a program's own code, of which a library has none of its own. The watch is not used in recorded
// programs.
#define __executable_start crl_no_code
#define etext crl_no_code_end
__attribute__((visibility("hidden"))) extern const char __executable_start[], etext[];

#include "../CRuntimeProbe/hold_watch.c"

const char __executable_start[1], etext[1];

#define _GNU_SOURCE
#include "weak_runtime.h"
#include "../CRuntimeProbe/trace_events.c"

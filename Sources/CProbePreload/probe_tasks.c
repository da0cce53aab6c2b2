#define _GNU_SOURCE
#include "weak_runtime.h"
#pragma weak crp_void_type
#include "../CRuntimeProbe/tasks.c"

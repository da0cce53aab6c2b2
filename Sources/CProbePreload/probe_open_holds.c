#define _GNU_SOURCE
#include "weak_runtime.h"
#include "../CRuntimeProbe/open_holds.c"

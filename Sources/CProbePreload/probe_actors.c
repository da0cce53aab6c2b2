#define _GNU_SOURCE
#include "weak_runtime.h"
#pragma weak swift_getTypeName
#include "../CRuntimeProbe/actors.c"

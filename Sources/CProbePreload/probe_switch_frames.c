#define _GNU_SOURCE
#include "weak_runtime.h"
#include "../CRuntimeProbe/switch_frames.c"

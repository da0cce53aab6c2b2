#define _GNU_SOURCE
#include "weak_runtime.h"
#include "../CRuntimeProbe/mapped_file.c"

#define _GNU_SOURCE
#include "weak_runtime.h"
#pragma weak _swift_concurrency_debug_asyncTaskMetadata
#pragma weak _swift_concurrency_debug_asyncTaskSize
#pragma weak _swift_concurrency_debug_internal_layout_version
#pragma weak _swift_concurrency_debug_jobMetadata
#include "../CRuntimeProbe/runtime_layout.c"

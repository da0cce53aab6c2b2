// Before a file of the probe that is compiled into the preload library.
//
// Every reference to the runtime is weak: preloaded into a program without it, the library must load all the same.

#include "own.h"

#pragma weak swift_task_alloc
#pragma weak swift_task_dealloc
#pragma weak swift_task_getCurrent
#pragma weak swift_task_getCurrentExecutor
#pragma weak swift_task_getJobTaskId
#pragma weak swift_task_isMainExecutor

// Whether this program has a concurrency runtime at all. Preloaded, every reference to the runtime is weak.

#include "crr_internal.h"

#if defined(__x86_64__) && defined(__linux__) && defined(__clang__)

__attribute__((swiftcall)) void *swift_task_getCurrent(void) __attribute__((weak));
__attribute__((swiftcall)) uint64_t swift_task_getJobTaskId(void *job) __attribute__((weak));
extern const void *_swift_concurrency_debug_asyncTaskMetadata __attribute__((weak));
extern const void *_swift_concurrency_debug_jobMetadata __attribute__((weak));
extern const size_t _swift_concurrency_debug_asyncTaskSize __attribute__((weak));
extern const uint32_t _swift_concurrency_debug_internal_layout_version __attribute__((weak));

const char *crr_runtime_absence(void) {
  if (swift_task_getCurrent == NULL) return "the program has not loaded the Swift concurrency runtime";
  if (&_swift_concurrency_debug_asyncTaskMetadata == NULL || &_swift_concurrency_debug_jobMetadata == NULL
      || &_swift_concurrency_debug_asyncTaskSize == NULL
      || &_swift_concurrency_debug_internal_layout_version == NULL) {
    return "its Swift concurrency runtime does not say how it is laid out: older than the probe knows";
  }
  return NULL;
}

uint64_t crr_current_task(void) {
  if (swift_task_getCurrent == NULL || crp_current_mode() == CRP_MODE_OFF) return 0;
  void *task = swift_task_getCurrent();
  return task != NULL ? swift_task_getJobTaskId(task) : 0;
}

#else

const char *crr_runtime_absence(void) { return "the probe knows the Swift runtime on x86-64 Linux only"; }
uint64_t crr_current_task(void) { return 0; }

#endif

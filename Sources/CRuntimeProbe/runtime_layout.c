// Start and stop; the runtime's symbols, its layout, and the two functions taken over in its metadata.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

#if CRP_SUPPORTED

#ifndef CRP_WRAP
#define CRP_EACH_REAL(use)                                                                                    \
  use(swift_task_switch) use(swift_job_run) use(swift_job_run_on_task_executor)                               \
      use(swift_job_run_on_serial_and_task_executor) use(swift_task_create) use(swift_task_cancel)            \
          use(swift_asyncLet_begin) use(swift_asyncLet_finish) use(swift_continuation_await)              \
          use(swift_defaultActor_initialize)
// Declared with their types where they are called; here only their addresses are set.
#define CRP_DECLARE(name) CRP_HIDDEN void *crp_real_##name;
CRP_EACH_REAL(CRP_DECLARE)

static bool resolved;

// Before any constructor that might start the probe.
__attribute__((constructor(1000))) static void resolve_symbols(void) {
  bool all = true;
#define CRP_RESOLVE(name)                           \
  crp_real_##name = dlsym(RTLD_NEXT, #name);        \
  all = all && crp_real_##name != NULL;
  CRP_EACH_REAL(CRP_RESOLVE)
  resolved = all;
}
#else
static const bool resolved = true;
#endif

crp_linking_kind crp_linking(void) {
#ifdef CRP_WRAP
  return CRP_LINKING_WRAPPED;
#else
  return resolved ? CRP_LINKING_INTERPOSED : CRP_LINKING_ABSENT;
#endif
}

// MARK: Metadata

// Pointers to the metadata of tasks and of other jobs; for debuggers, but exported.
extern const void *_swift_concurrency_debug_asyncTaskMetadata;
extern const void *_swift_concurrency_debug_jobMetadata;
extern const size_t _swift_concurrency_debug_asyncTaskSize;
extern const uint32_t _swift_concurrency_debug_internal_layout_version;

enum { DESTROY_WORDS = -2, INVOKE_WORDS = 3, KNOWN_LAYOUT_VERSION = 1 };

typedef CRP_SWIFT void (*destroy_function)(CRP_CONTEXT void *object);
typedef void (*invoke_function)(void *job, void *reserved, uint32_t flags);

static destroy_function real_destroy;
static invoke_function real_task_invoke;
static invoke_function real_job_invoke;

CRP_SWIFT static void task_destroyed(CRP_CONTEXT void *task) {
  crp_task_ends(task);
  real_destroy(task);
}

static void task_invoked(void *job, void *reserved, uint32_t flags) {
  crp_job_frame frame;
  crp_job_begins(&frame, (crp_executor){0, 0}, job);
  real_task_invoke(job, reserved, flags);
  crp_job_ends(&frame);
  crp_job_returned(job);
}

static void job_invoked(void *job, void *reserved, uint32_t flags) {
  crp_job_frame frame;
  crp_job_begins(&frame, (crp_executor){0, 0}, NULL);
  real_job_invoke(job, reserved, flags);
  crp_job_ends(&frame);
}

static void **metadata_word(const void *metadata, int words) { return (void **)metadata + words; }

static void swap(const void *metadata, int words, void *mine, void *real) {
  void **place = metadata_word(metadata, words);
  void *found = __atomic_load_n(place, __ATOMIC_RELAXED);
  if (found == mine) return;
  *(void **)real = found;
  __atomic_store_n(place, mine, __ATOMIC_RELEASE);
}

static void swap_metadata(void) {
  const void *task = _swift_concurrency_debug_asyncTaskMetadata, *job = _swift_concurrency_debug_jobMetadata;
  swap(task, DESTROY_WORDS, (void *)task_destroyed, &real_destroy);
  swap(task, INVOKE_WORDS, (void *)task_invoked, &real_task_invoke);
  swap(job, INVOKE_WORDS, (void *)job_invoked, &real_job_invoke);
}

// MARK: Layout

typedef struct {
  uint64_t address;
  char permission;  // 'w' or 'x'
  bool found;
} region_question;

static uint64_t hexadecimal(const char **text) {
  uint64_t value = 0;
  for (;; (*text)++) {
    char c = **text;
    if (c >= '0' && c <= '9') {
      value = value * 16 + (uint64_t)(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      value = value * 16 + (uint64_t)(c - 'a' + 10);
    } else {
      return value;
    }
  }
}

// A line of /proc/self/maps: "low-high rwxp …".
static void answer(const char *line, region_question *questions, size_t count) {
  uint64_t low = hexadecimal(&line);
  if (*line++ != '-') return;
  uint64_t high = hexadecimal(&line);
  if (*line++ != ' ') return;
  for (size_t i = 0; i < count; i++) {
    bool inside = questions[i].address >= low && questions[i].address < high;
    if (inside && (line[1] == questions[i].permission || line[2] == questions[i].permission)) questions[i].found = true;
  }
}

static bool ask_maps(region_question *questions, size_t count) {
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char line[128], buffer[1024];
  size_t used = 0;
  for (ssize_t got; (got = read(file, buffer, sizeof buffer)) > 0;) {
    for (ssize_t i = 0; i < got; i++) {
      if (buffer[i] == '\n') {
        line[used] = 0;
        answer(line, questions, count);
        used = 0;
      } else if (used + 1 < sizeof line) {
        line[used++] = buffer[i];
      }
    }
  }
  close(file);
  return true;
}

static const char *check_metadata(void) {
  const void *task = _swift_concurrency_debug_asyncTaskMetadata, *job = _swift_concurrency_debug_jobMetadata;
  if (task == NULL || job == NULL) return "the runtime does not name its task metadata";
  void **words[] = {metadata_word(task, DESTROY_WORDS), metadata_word(task, INVOKE_WORDS),
                    metadata_word(job, INVOKE_WORDS)};
  enum { WORDS = sizeof words / sizeof *words };
  region_question writable[WORDS] = {0}, executable[WORDS] = {0};
  for (size_t i = 0; i < WORDS; i++) writable[i] = (region_question){(uint64_t)words[i], 'w', false};
  if (!ask_maps(writable, WORDS)) return "/proc/self/maps cannot be read";
  for (size_t i = 0; i < WORDS; i++) {
    if (!writable[i].found) return "the runtime's task metadata cannot be written";
    executable[i] = (region_question){(uint64_t)*words[i], 'x', false};
  }
  ask_maps(executable, WORDS);
  for (size_t i = 0; i < WORDS; i++) {
    if (!executable[i].found) return "the runtime's task metadata is laid out in another way";
  }
  return NULL;
}

// The current task, if there is one, is running and not complete, and its first word is its metadata.
static const char *check_task(const char *task) {
  uint32_t flags, status;
  memcpy(&flags, task + CRP_TASK_FLAGS, sizeof flags);
  memcpy(&status, task + CRP_TASK_STATUS, sizeof status);
  if (*(const void *const *)task != _swift_concurrency_debug_asyncTaskMetadata) {
    return "the first word of a task is not its metadata";
  }
  if ((flags & 0xFF) != 0) return "a task's flags are not where they were";
  if (!(status & CRP_STATUS_RUNNING) || (status & CRP_STATUS_COMPLETE)) {
    return "a task's status is not where it was";
  }
  return NULL;
}

const char *crp_check_layout(void) {
  if (!resolved) return "functions of the Swift concurrency runtime were not found behind the probe";
  if (_swift_concurrency_debug_internal_layout_version != KNOWN_LAYOUT_VERSION) {
    return "the Swift concurrency runtime has another layout version than 6.3's";
  }
  const char *problem = check_metadata();
  void *task = swift_task_getCurrent();
  if (problem == NULL && task != NULL) problem = check_task(task);
  return problem;
}

const char *crp_start(crp_mode mode) {
  if (mode == CRP_MODE_OFF) return "no mode given";
  const char *problem = crp_check_layout();
  if (problem != NULL) return problem;
  if (crp_mapped_base() == NULL && crp_open(NULL) != 0) return "no memory for the probe's counters";
  swap_metadata();
  crp_learn_first_functions();
  crp_thread_state();
  if (mode == CRP_MODE_CLASSIFYING) crp_calibrate_clock();
  crp_header()->mode = mode;
  __atomic_store_n(&crp_mode_in_force, mode, __ATOMIC_RELEASE);
  return NULL;
}

void crp_stop(void) { __atomic_store_n(&crp_mode_in_force, CRP_MODE_OFF, __ATOMIC_RELEASE); }

crp_mode crp_current_mode(void) { return (crp_mode)__atomic_load_n(&crp_mode_in_force, __ATOMIC_RELAXED); }

#else

crp_linking_kind crp_linking(void) { return CRP_LINKING_ABSENT; }
const char *crp_check_layout(void) { return "the probe knows the Swift runtime on x86-64 Linux only"; }
const char *crp_start(crp_mode mode) { return (void)mode, crp_check_layout(); }
void crp_stop(void) {}
crp_mode crp_current_mode(void) { return CRP_MODE_OFF; }

#endif

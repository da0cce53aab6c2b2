// Starts the probe in a program that is recorded, before main, and ends it.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "crr_internal.h"

static char prefix[CRP_PATH_SIZE];
static unsigned number;
static long parent;

crp_recording *crr_control;

bool crr_is_recorded(void) {
  return crr_control != NULL && crr_control->process == (uint64_t)getpid();
}
const char *crr_prefix(void) { return prefix; }
unsigned crr_number(void) { return number; }
long crr_parent(void) { return parent; }

// MARK: The environment

// What was asked of us, taken out of the environment, so that no child sees it.
static bool take_request(void) {
  const char *asked = getenv(CRP_VARIABLE_PREFIX);
  const char *from = getenv(CRP_VARIABLE_PARENT);
  const char *count = getenv(CRP_VARIABLE_NUMBER);
  bool usable = asked != NULL && from != NULL && strlen(asked) < sizeof prefix - 32;
  if (usable) {
    strcpy(prefix, asked);
    parent = strtol(from, NULL, 10);
    number = count != NULL ? (unsigned)strtoul(count, NULL, 10) : 1;
  }
  unsetenv(CRP_VARIABLE_PREFIX);
  unsetenv(CRP_VARIABLE_PARENT);
  unsetenv(CRP_VARIABLE_NUMBER);
  // A child of the program that was meant, where that one could not take the request out.
  return usable && parent == (long)getppid();
}

// MARK: The control file

static size_t rounded(size_t size) { return (size + 4095) / 4096 * 4096; }

static void name_file(char *path, size_t size, const char *suffix) {
  snprintf(path, size, "%s.%u.%s", prefix, number, suffix);
}

// A file may not grow beyond a limit: the attempt would end the program with SIGXFSZ.
static bool may_grow(size_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= size);
}

static crp_recording *map_control(void) {
  char path[CRP_PATH_SIZE];
  name_file(path, sizeof path, "control");
  size_t snapshot = rounded(sizeof(crp_snapshot) + sizeof(crp_thread_block));
  size_t list = rounded(CRP_TASK_CAPACITY * sizeof(crp_live_task));
  size_t snapshots_offset = rounded(sizeof(crp_recording));
  size_t tasks_offset = snapshots_offset + CRP_SNAPSHOT_CAPACITY * snapshot;
  size_t size = tasks_offset + 2 * list;
  if (!may_grow(size)) return NULL;
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return NULL;
  void *base = MAP_FAILED;
  size_t image = rounded(crp_file_size());
  if (posix_fallocate(file, 0, (off_t)size) == 0) {
    // No room is taken for what comes after: crr_keep_window asks for it.
    if (!may_grow(size + 2 * image) || ftruncate(file, (off_t)(size + 2 * image)) != 0) image = 0;
    base = mmap(NULL, size + 2 * image, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (base == MAP_FAILED) return NULL;
  crp_recording *control = base;
  control->images_offset = image != 0 ? size : 0;
  control->image_size = image;
  control->size = sizeof(crp_recording);
  control->live_task_size = sizeof(crp_live_task);
  control->process = (uint64_t)getpid();
  control->snapshot_size = snapshot;
  control->snapshots_offset = snapshots_offset;
  control->tasks_offset = tasks_offset;
  control->task_list_size = list;
  control->file_size = size + 2 * image;
  return control;
}

// Far more than the list of any program's images.
#define MAPS_LARGEST ((size_t)1 << 20)

// The images, for names of addresses after the program has gone.
static void copy_maps(void) {
  char path[CRP_PATH_SIZE], buffer[4096];
  name_file(path, sizeof path, "maps");
  if (!may_grow(MAPS_LARGEST)) return;
  int from = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  ssize_t got;
  while (from >= 0 && to >= 0 && (got = read(from, buffer, sizeof buffer)) > 0) {
    if (write(to, buffer, (size_t)got) != got) break;
  }
  if (from >= 0) close(from);
  if (to >= 0) close(to);
}

// MARK: Forks

static void forked_parent(void) {
  if (crr_control != NULL) __atomic_fetch_add(&crr_control->forks, 1, __ATOMIC_RELAXED);
}

// A child goes on with a copy of the counters that nobody reads.
static void forked_child(void) {
  crp_recording *control = crr_control;
  if (control == NULL) return;
  crp_trace_leave();
  crp_stop();
  crr_control = NULL;
  crr_restore_signals();
  size_t size = crp_mapped_size();
  void *base = (void *)crp_mapped_base();
  if (base == NULL) return;
  void *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return;
  memcpy(copy, base, size);
  mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, base);
}

// MARK: Begin and end

static void refuse(crp_recording_state state, const char *reason) {
  snprintf(crr_control->reason, sizeof crr_control->reason, "%s", reason);
  crr_control->state = state;
}

// A trace is asked for by a file that says for how many events; it goes along to what the program turns itself into.
static void start_trace(void) {
  char path[CRP_PATH_SIZE], text[32] = {0};
  snprintf(path, sizeof path, "%s." CRP_TRACE_REQUEST, prefix);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  name_file(path, sizeof path, "trace");
  unsigned long long events = strtoull(text, NULL, 10);
  size_t most = (size_t)events * sizeof(crp_trace_event) + ((size_t)1 << 20);
  if (size > 0 && may_grow(most) && crp_trace_open(path, events, false) == 0) crp_trace_start();
}

static void start_probe(void) {
  const char *absence = crr_runtime_absence();
  if (absence != NULL) return refuse(CRP_RECORDING_ABSENT, absence);
  const char *problem = crp_check_layout();
  if (problem != NULL) return refuse(CRP_RECORDING_REFUSED, problem);
  char path[CRP_PATH_SIZE];
  name_file(path, sizeof path, "probe");
  int number_of_error = may_grow(crp_file_size()) ? crp_open(path) : EFBIG;
  if (number_of_error != 0) return refuse(CRP_RECORDING_REFUSED, strerror(number_of_error));
  copy_maps();
  problem = crp_start(CRP_MODE_CLASSIFYING);
  if (problem == NULL && !crr_start_attendant()) problem = "no thread could be made for it";
  if (problem != NULL) {
    crp_stop();
    return refuse(CRP_RECORDING_REFUSED, problem);
  }
  pthread_atfork(NULL, forked_parent, forked_child);
  start_trace();
  crr_control->started_at = crp_raw_monotonic();
  __atomic_store_n(&crr_control->state, CRP_RECORDING_COUNTING, __ATOMIC_RELEASE);
}

__attribute__((constructor(2000))) static void begin(void) {
  if (!take_request()) return;
  int error = errno;
  crr_control = map_control();
  if (crr_control != NULL) {
    start_probe();
    memcpy(crr_control->magic, CRP_RECORDING_MAGIC, sizeof crr_control->magic);
  }
  errno = error;
}

__attribute__((destructor)) static void end(void) { crr_program_ends(); }

void crr_program_ends(void) {
  if (!crr_is_recorded()) return;
  crp_trace_stop();
  uint32_t before = 0;
  if (__atomic_compare_exchange_n(&crr_control->has_ended, &before, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    crr_control->ending_task = crr_current_task();
    crr_ask(CRP_COMMAND_LOOK);
  }
  // A signal is about to end the process on another thread: without the probe it would have by now.
  for (int i = 0; i < 100 && __atomic_load_n(&crr_control->has_ended, __ATOMIC_ACQUIRE) == 2; i++) usleep(10000);
}

void crr_executes(const char *path) {
  if (!crr_is_recorded()) return;
  snprintf(crr_control->executed, sizeof crr_control->executed, "%s", path != NULL ? path : "");
}

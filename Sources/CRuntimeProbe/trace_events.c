// A trace: every hop, job, creation and mark as an event of 32 bytes, for the timeline. See crp_trace_format.h.
//
// A thread writes into a chunk of its own; taking the next one is an addition to a shared counter, once in
// CRP_TRACE_CHUNK_EVENTS events. There is no lock and no allocation. While no trace is on, the places that would
// enter something test one flag.
//
// Arrivals are seen by a trampoline around the one of switches.c, or around none where that only counts: the switch
// comes through the hook twice, the second time with `arrived` as what to resume.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"
#include "switch_frames.h"

#if CRP_SUPPORTED

enum { PAGE = 4096, ADDRESS_SHIFT = 16 };

uint32_t crp_is_tracing;

static crp_trace_header *header;
static crp_trace_event *chunks;
// In virtual time: the thread that time belongs to, and what it last read.
static crp_thread *owner;
static uint64_t owner_time;

// The runtime's own definition behind the hook.
#ifdef CRP_WRAP
CRP_SWIFT void CRP_REAL(swift_defaultActor_initialize)(void *);
#else
CRP_HIDDEN extern CRP_SWIFT void (*CRP_REAL(swift_defaultActor_initialize))(void *);
#endif

// MARK: Writing

static uint64_t time_of(const crp_thread *thread) {
  if (!header->is_virtual) return crp_ticks();
  // Other threads see the machine's clock.
  if (thread != owner) return __atomic_load_n(&owner_time, __ATOMIC_RELAXED);
  uint64_t now = (uint64_t)crp_now();
  __atomic_store_n(&owner_time, now, __ATOMIC_RELAXED);
  return now;
}

static void lose(const crp_thread *thread, uint64_t time) {
  uint64_t none = 0;
  __atomic_compare_exchange_n(&header->first_lost, &none, time, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  __atomic_fetch_add(&header->lost[thread - crp_threads], 1, __ATOMIC_RELAXED);
}

static void put(crp_trace_event *event, uint64_t time, uint64_t task, uint64_t place, uint64_t what) {
  event->time = time;
  event->task = task;
  event->place = place;
  __atomic_store_n(&event->what, what, __ATOMIC_RELEASE);
}

static bool take_chunk(crp_thread *thread, uint64_t time) {
  uint64_t taken = __atomic_load_n(&header->chunks_taken, __ATOMIC_RELAXED);
  do {
    if (taken >= header->chunk_capacity) return false;
  } while (!__atomic_compare_exchange_n(&header->chunks_taken, &taken, taken + 1, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  crp_trace_event *first = chunks + taken * CRP_TRACE_CHUNK_EVENTS;
  put(first, time, thread->tid, (uint64_t)(thread - crp_threads), CRP_TRACE_CHUNK);
  thread->trace_next = first + 1;
  thread->trace_end = first + CRP_TRACE_CHUNK_EVENTS;
  return true;
}

// `address` is of user space: 48 bits.
static void enter(crp_thread *thread, crp_trace_kind kind, uint64_t task, uint64_t address, uint32_t slot,
                  const void *code) {
  uint64_t time = time_of(thread);
  if (CRP_UNLIKELY(thread->is_shared)) return lose(thread, time);
  if (CRP_UNLIKELY(thread->trace_next == thread->trace_end) && !take_chunk(thread, time)) return lose(thread, time);
  thread->trace_begun = kind == CRP_TRACE_JOB_BEGAN;
  put(thread->trace_next++, time, task, address << ADDRESS_SHIFT | slot,
      (uint64_t)(uintptr_t)code << ADDRESS_SHIFT | kind);
}

// Three addresses of code that belong to the last event; 0: none.
static void enter_callers(crp_thread *thread, const uint64_t *code) {
  if (code[0] == 0) return;
  uint64_t time = time_of(thread);
  if (CRP_UNLIKELY(thread->is_shared)) return lose(thread, time);
  if (CRP_UNLIKELY(thread->trace_next == thread->trace_end) && !take_chunk(thread, time)) return lose(thread, time);
  put(thread->trace_next++, time, code[0], code[1], code[2] << ADDRESS_SHIFT | CRP_TRACE_CALLERS);
}

static uint64_t current_task(void) {
  void *task = swift_task_getCurrent();
  return task != NULL ? swift_task_getJobTaskId(task) : 0;
}

static uint32_t slot_at(crp_thread *thread, crp_executor executor) {
  return executor.identity == 0 ? CRP_TRACE_NO_SLOT : crp_slot_of(thread, executor);
}

// The functions that an async one's callers go on in: each context begins with its caller's context and the function
// to go on with there. The task is on this thread, so all are alive.
static void enter_chain(crp_thread *thread, const uintptr_t *context) {
  enum { CALLERS = 9 };
  uint64_t callers[CALLERS] = {0};
  for (int i = 0; i < CALLERS && context != NULL && (uintptr_t)context % 8 == 0; i++) {
    callers[i] = context[1];
    context = (const uintptr_t *)context[0];
  }
  for (int i = 0; i < CALLERS; i += 3) enter_callers(thread, callers + i);
}

// MARK: Switches

static __thread bool passes;

bool crp_traces(crp_async_function resume) {
  if (resume != crp_trace_arrived && !passes) return true;
  passes = false;
  return false;
}

// The task runs here, and the last event of this thread does not say so.
static void found(crp_thread *thread, uint64_t task, crp_executor at, const void *code) {
  if (thread->trace_task == task && thread->trace_identity == at.identity) return;
  thread->trace_task = task;
  thread->trace_identity = at.identity;
  enter(thread, CRP_TRACE_FOUND, task, at.identity, slot_at(thread, at), code);
}

CRP_SWIFT_ASYNC void crp_trace_arrived(CRP_ASYNC_CONTEXT void *context) {
  crp_switch_frame *frame = context;
  void *parent = frame->parent;
  crp_async_function resume = (crp_async_function)frame->resume;
  crp_thread *thread = crp_thread_state();
  if (crp_is_tracing) {
    uint64_t task = current_task();
    if (frame->depth == 0) {
      found(thread, task, (crp_executor){frame->identity, frame->arrival}, (const void *)resume);
    } else {
      thread->trace_task = task;
      thread->trace_identity = frame->identity;
      enter(thread, CRP_TRACE_ARRIVED, task, frame->identity, frame->slot, (const void *)resume);
    }
  }
  crp_give_frame(thread, frame);
  CRP_TAIL resume(parent);
}

CRP_SWIFT_ASYNC void crp_traced_switch(CRP_ASYNC_CONTEXT void *context, crp_async_function resume, uintptr_t identity,
                                       uintptr_t implementation) {
  crp_thread *thread = crp_thread_state();
  crp_switch_frame *frame = thread->is_shared ? NULL : crp_take_frame(thread);
  if (CRP_UNLIKELY(frame == NULL)) {
    lose(thread, time_of(thread));
    passes = true;
    CRP_TAIL crp_hooked_switch(context, resume, identity, implementation);
  }
  crp_executor current = swift_task_getCurrentExecutor(), onto = {identity, implementation};
  bool moves = current.identity != identity;
  frame->parent = context;
  frame->resume = (void (*)(void))resume;
  frame->identity = identity;
  frame->arrival = implementation;
  frame->depth = moves;
  frame->slot = slot_at(thread, onto);
  if (moves) {
    uint64_t task = current_task();
    found(thread, task, current, NULL);
    thread->trace_task = 0;
    enter(thread, CRP_TRACE_LEFT, task, identity, frame->slot, (const void *)resume);
  }
  CRP_TAIL crp_hooked_switch(frame, crp_trace_arrived, identity, implementation);
}

// A continuation that has been resumed already suspends nobody.
void crp_trace_awaits(const void *continuation) {
  enum { STATE = 0x18, RESUMED = 2 };
  if (__atomic_load_n((const uintptr_t *)((const char *)continuation + STATE), __ATOMIC_RELAXED) == RESUMED) return;
  crp_thread *thread = crp_thread_state();
  uint64_t task = current_task();
  found(thread, task, swift_task_getCurrentExecutor(), NULL);
  thread->trace_task = 0;
  const uintptr_t *context = continuation;
  enter(thread, CRP_TRACE_AWAITED, task, 0, CRP_TRACE_NO_SLOT, (const void *)context[1]);
  enter_chain(thread, (const uintptr_t *)context[0]);
}

// MARK: Jobs and tasks

// A task that waited for another one or for a group goes on in a function of the runtime's, on a context of its own
// whose caller is the function that waited: nobody said so when it began to wait. After a continuation it goes on in
// what that context itself names, and has said so; after a hop in one of ours; a new task has no caller.
static void enter_waited(crp_thread *thread, const void *task, const void *code) {
  const uintptr_t *context = *(const uintptr_t *const *)((const char *)task + CRP_TASK_RESUME_CONTEXT);
  if (crp_ends_hop(code) || context == NULL || (uintptr_t)context % 8 != 0) return;
  if (context[0] != 0 && context[1] != (uintptr_t)code) enter_chain(thread, context);
}

// A job comes by twice where both its metadata and swift_job_run are taken over. The second time more may be known.
bool crp_trace_job_begins(crp_executor executor, const void *task) {
  crp_thread *thread = crp_thread_state();
  uint64_t number = task != NULL ? swift_task_getJobTaskId((void *)task) : 0;
  const void *code = task != NULL ? *(const void *const *)((const char *)task + CRP_TASK_RESUME) : NULL;
  if (thread->trace_begun && thread->trace_task == number) {
    if (number != 0) found(thread, number, executor, code);
    return true;
  }
  thread->trace_task = number;
  thread->trace_identity = executor.identity;
  enter(thread, CRP_TRACE_JOB_BEGAN, number, executor.identity, slot_at(thread, executor), code);
  if (task != NULL) enter_waited(thread, task, code);
  return false;
}

void crp_trace_job_ends(bool is_repeated) {
  if (is_repeated) return;
  crp_thread *thread = crp_thread_state();
  thread->trace_task = 0;
  enter(thread, CRP_TRACE_JOB_ENDED, 0, 0, CRP_TRACE_NO_SLOT, NULL);
}

// `function` is laid out as an async function's pointer: where the code is, from there.
static const void *code_of(const void *function) {
  return function != NULL ? (const char *)function + *(const int32_t *)function : NULL;
}

void crp_trace_timer_made(void *task, const void *function) {
  enter(crp_thread_state(), CRP_TRACE_TASK_MADE, swift_task_getJobTaskId(task), current_task(), CRP_TRACE_TIMER,
        code_of(function));
}

void crp_trace_task_made(const crp_ledger_entry *entry, const void *function) {
  const void *code = code_of(function);
  crp_thread *thread = crp_thread_state();
  enter(thread, CRP_TRACE_TASK_MADE, entry->id, entry->parent_id, CRP_TRACE_NO_SLOT, code);
  uint64_t places[3] = {0};
  for (int i = 0; i < 3 && i < entry->address_count; i++) places[i] = crp_unpack(entry->addresses[i]);
  enter_callers(thread, places);
}

void crp_trace_task(crp_trace_kind kind, uint64_t task, uint64_t tag) {
  enter(crp_thread_state(), kind, task, tag, CRP_TRACE_NO_SLOT, NULL);
}

CRP_SWIFT void CRP_HOOK(swift_defaultActor_initialize)(void *actor) {
  CRP_REAL(swift_defaultActor_initialize)(actor);
  if (CRP_LIKELY(!crp_is_tracing)) return;
  crp_thread *thread = crp_thread_state();
  crp_executor executor = {(uintptr_t)actor, 0};
  enter(thread, CRP_TRACE_ACTOR_MADE, current_task(), executor.identity, crp_slot_of(thread, executor), NULL);
}

// MARK: Marks

void crp_trace_mark(uint32_t mark, uint64_t value) {
  if (CRP_LIKELY(!crp_is_tracing) || mark >= CRP_TRACE_MARK_CAPACITY) return;
  enter(crp_thread_state(), CRP_TRACE_MARKED, current_task(), value & 0xFFFFFFFFFFFFu, mark, NULL);
}

static uint32_t marks_lock;

uint32_t crp_trace_mark_named(const char *name) {
  if (header == NULL) return CRP_TRACE_MARK_CAPACITY;
  crp_lock(&marks_lock);
  uint64_t used = header->marks_used, mark = 0;
  while (mark < used && strncmp(header->marks[mark], name, CRP_TRACE_MARK_SIZE - 1) != 0) mark++;
  if (mark == used && used < CRP_TRACE_MARK_CAPACITY) {
    strncpy(header->marks[mark], name, CRP_TRACE_MARK_SIZE - 1);
    __atomic_store_n(&header->marks_used, used + 1, __ATOMIC_RELEASE);
  }
  crp_unlock(&marks_lock);
  return (uint32_t)mark;
}

// MARK: The file

int crp_trace_open(const char *path, uint64_t events, bool is_virtual) {
  if (crp_mapped_base() == NULL) return EINVAL;
  if (crp_is_tracing) return EBUSY;
  uint64_t capacity = (events + CRP_TRACE_CHUNK_EVENTS - 1) / CRP_TRACE_CHUNK_EVENTS;
  if (capacity == 0 || capacity > CRP_TRACE_CHUNKS_MAX) return ERANGE;
  uint64_t offset = (sizeof(crp_trace_header) + PAGE - 1) / PAGE * PAGE;
  uint64_t size = offset + capacity * CRP_TRACE_CHUNK_EVENTS * sizeof(crp_trace_event);
  if (!is_virtual) crp_calibrate_clock();
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return errno;
  int problem = posix_fallocate(file, 0, (off_t)size);
  void *base = problem != 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (problem == 0 && base == MAP_FAILED) problem = errno;
  close(file);
  if (problem != 0) return problem;
  crp_trace_header *made = base;
  made->version = CRP_TRACE_VERSION;
  made->header_size = sizeof *made;
  made->event_size = sizeof(crp_trace_event);
  made->chunk_events = CRP_TRACE_CHUNK_EVENTS;
  made->chunk_capacity = (uint32_t)capacity;
  made->is_virtual = is_virtual;
  made->process = (uint64_t)getpid();
  made->chunks_offset = offset;
  made->file_size = size;
  made->uses_cycle_counter = !is_virtual && crp_has_cycle_counter;
  // Those of a trace before this one stay mapped: a thread may be about to write its last event there.
  for (uint32_t i = 0; i < CRP_BLOCK_CAPACITY; i++) crp_threads[i].trace_next = crp_threads[i].trace_end = NULL;
  chunks = (crp_trace_event *)((char *)base + offset);
  header = made;
  memcpy(made->magic, CRP_TRACE_MAGIC, sizeof made->magic);
  return 0;
}

void crp_trace_set_cell_start(int64_t time) {
  if (header != NULL) header->cell_start = time;
}

bool crp_trace_start(void) {
  if (header == NULL || crp_current_mode() == CRP_MODE_OFF) return false;
  if (header->is_virtual) {
    header->clock_nanoseconds = 1;
  } else {
    crp_clock_pair(&header->clock_ticks, &header->clock_monotonic);
    header->clock_nanoseconds = crp_header()->clock_nanoseconds;
  }
  owner = crp_thread_state();
  header->started_at = time_of(owner);
  __atomic_store_n(&crp_is_tracing, 1, __ATOMIC_RELEASE);
  return true;
}

void crp_trace_leave(void) { __atomic_store_n(&crp_is_tracing, 0, __ATOMIC_RELEASE); }

void crp_trace_stop(void) {
  if (__atomic_exchange_n(&crp_is_tracing, 0, __ATOMIC_ACQ_REL)) header->stopped_at = time_of(crp_thread_state());
}

#else

void crp_trace_mark(uint32_t mark, uint64_t value) { (void)mark, (void)value; }
uint32_t crp_trace_mark_named(const char *name) { return (void)name, CRP_TRACE_MARK_CAPACITY; }
int crp_trace_open(const char *path, uint64_t events, bool is_virtual) {
  return (void)path, (void)events, (void)is_virtual, ENOTSUP;
}
void crp_trace_set_cell_start(int64_t time) { (void)time; }
bool crp_trace_start(void) { return false; }
void crp_trace_stop(void) {}
void crp_trace_leave(void) {}

#endif

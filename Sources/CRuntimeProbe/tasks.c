// Creation, end and cancellation of tasks.
//
// A task is entered once the runtime has made it and handed us a reference, so it cannot be gone by then. It leaves
// in the `destroy` function of its metadata, before its memory goes. The tasks of `async let` lie in their parent's
// memory and are never destroyed that way: they leave when the parent has finished them.

#include "internal.h"

#if CRP_SUPPORTED

// The metadata of (), behind its value witness table.
extern const void *const crp_void_type[] __asm__("$sytN");

typedef struct {
  void *task;
  void *context;
} task_and_context;

#ifdef CRP_WRAP
CRP_SWIFT task_and_context CRP_REAL(swift_task_create)(size_t, void *, const void *, void *, void *);
CRP_SWIFT void CRP_REAL(swift_task_cancel)(void *);
CRP_SWIFT_ASYNC void CRP_REAL(swift_asyncLet_finish)(CRP_ASYNC_CONTEXT void *, void *, void *, crp_async_function,
                                                     void *);
#else
CRP_HIDDEN extern CRP_SWIFT task_and_context (*CRP_REAL(swift_task_create))(size_t, void *, const void *, void *, void *);
CRP_HIDDEN extern CRP_SWIFT void (*CRP_REAL(swift_task_cancel))(void *);
CRP_HIDDEN extern CRP_SWIFT_ASYNC void (*CRP_REAL(swift_asyncLet_finish))(CRP_ASYNC_CONTEXT void *, void *, void *,
                                                                   crp_async_function, void *);
CRP_HIDDEN extern CRP_SWIFT void (*CRP_REAL(swift_asyncLet_begin))(void *, void *, const void *, void *, void *, void *);
#endif


static uint64_t watched_iteration;
static uint64_t watched_created;
static uint64_t watched_ended;

static bool probing(void) { return __atomic_load_n(&crp_mode_in_force, __ATOMIC_RELAXED) != CRP_MODE_OFF; }

enum {
  ASYNC_LET_TASK = 0x18,
  CREATE_INHERITS = 1u << 11,
  CREATE_DISCARDING = 1u << 14,
  CREATE_IMMEDIATE = 1u << 16,
  CREATE_FLAGS_SHIFT = 8,
  OPTION_NAME = 7
};

// MARK: Where a task begins

// Every task begins in one of two functions of the runtime's, with a result and without; they have no names. A task
// of each kind is made for them, never started and never given back.
static const void *unstarted[2];

void crp_learn_first_functions(void) {
  // An async function's pointer as the compiler lays it out: where it is, from here, and the size of its context.
  static const int32_t function[2] = {0, 64};
  if (unstarted[0] != NULL) return;
  unstarted[0] = CRP_REAL(swift_task_create)(0, NULL, crp_void_type + 1, (void *)function, NULL).task;
  unstarted[1] = CRP_REAL(swift_task_create)(CREATE_DISCARDING, NULL, crp_void_type + 1, (void *)function, NULL).task;
}

bool crp_is_first_function(uint64_t function) {
  for (int i = 0; i < 2; i++) {
    if (unstarted[i] != NULL && *(const uint64_t *)((const char *)unstarted[i] + CRP_TASK_RESUME) == function) return true;
  }
  return false;
}

// MARK: Where a task is made

// Follows the frame pointers of Swift code; bit 60 of a saved one marks an async frame. `frame` is our own.
static void walk_stack(const crp_thread *thread, const void *frame, crp_ledger_entry *entry) {
  uint8_t count = 0;
  uintptr_t at = (uintptr_t)frame;
  while (count < CRP_CREATION_ADDRESSES && at >= thread->stack_low && at % 8 == 0
         && at + 2 * sizeof(uintptr_t) <= thread->stack_high) {
    const uintptr_t *words = (const uintptr_t *)at;
    if (words[1] == 0) break;
    crp_pack(entry->addresses[count++], words[1]);
    uintptr_t next = words[0] & ~((uintptr_t)1 << 60);
    if (next <= at) break;
    at = next;
  }
  entry->address_count = count;
}

// MARK: Created

// A task may start on another thread, and create tasks of its own, before its creator has entered it. If it is not
// found while some thread is creating, that thread is given the time to do so.
static bool find_creator(const void *task, crp_ledger_entry *out) {
  if (crp_ledger_find((uint64_t)task, out)) return true;
  uint64_t used = __atomic_load_n(&crp_header()->blocks_used, __ATOMIC_ACQUIRE);
  for (uint64_t i = 0; i < used; i++) {
    crp_thread *other = &crp_threads[i];
    uint64_t creating = __atomic_load_n(&other->creating, __ATOMIC_ACQUIRE);
    if (creating % 2 == 0 || other == crp_this_thread) continue;
    for (unsigned tries = 0; tries < 2000 && __atomic_load_n(&other->creating, __ATOMIC_ACQUIRE) == creating; tries++) {
      sched_yield();
    }
  }
  return crp_ledger_find((uint64_t)task, out);
}

// The name, if it was given one: an option record {kind, next record, text}. What does not fit is left out.
static void keep_name(const void *options, crp_ledger_entry *entry) {
  for (const uintptr_t *record = options; record != NULL; record = (const uintptr_t *)record[1]) {
    if ((record[0] & 0xFF) != OPTION_NAME || record[2] == 0) continue;
    const char *name = (const char *)record[2];
    for (size_t i = 0; i < CRP_TASK_NAME_SIZE && name[i] != 0; i++) entry->name[i] = name[i];
  }
}

// What is known before the task exists.
static crp_ledger_entry begin_creation(crp_thread *thread, const void *frame, const void *options) {
  crp_ledger_entry entry = {0};
  walk_stack(thread, frame, &entry);
  keep_name(options, &entry);
  void *creator = swift_task_getCurrent();
  crp_ledger_entry found;
  if (creator != NULL) {
    entry.parent_id = swift_task_getJobTaskId(creator);
    if (find_creator(creator, &found)) entry.iteration = entry.birth_iteration = found.iteration;
  }
  __atomic_store_n(&thread->creating, thread->creating + 1, __ATOMIC_RELEASE);
  return entry;
}

static uint8_t kind_of(const void *task, size_t create_flags) {
  uint32_t flags = crp_task_word(task, CRP_TASK_FLAGS);
  if (flags & CRP_FLAG_ASYNC_LET) return CRP_TASK_ASYNC_LET;
  if (flags & (CRP_FLAG_GROUP_CHILD | CRP_FLAG_CHILD)) return CRP_TASK_GROUP_CHILD;
  if (create_flags & CREATE_IMMEDIATE) return CRP_TASK_IMMEDIATE;
  return create_flags & CREATE_INHERITS ? CRP_TASK_UNSTRUCTURED : CRP_TASK_DETACHED;
}

static void count_alive(void) {
  crp_file_header *header = crp_header();
  uint64_t alive = __atomic_add_fetch(&header->tasks_alive, 1, __ATOMIC_RELAXED);
  uint64_t highest = __atomic_load_n(&header->tasks_alive_max, __ATOMIC_RELAXED);
  while (alive > highest
         && !__atomic_compare_exchange_n(&header->tasks_alive_max, &highest, alive, true, __ATOMIC_RELAXED,
                                         __ATOMIC_RELAXED)) {
  }
}

static bool is_watched(const crp_ledger_entry *entry) {
  return entry->birth_iteration != 0
         && entry->birth_iteration == __atomic_load_n(&watched_iteration, __ATOMIC_RELAXED);
}

static void set_ran(crp_ledger_entry *entry, void *state) {
  if (entry->last_ran == 0) entry->last_ran = *(const int64_t *)state;
}

// A task may have run, and suspended, before it was entered; nobody noted that.
static void note_first_run(const void *task) {
  if (crp_current_mode() != CRP_MODE_CLASSIFYING || crp_task_word(task, CRP_TASK_STATUS) & CRP_STATUS_RUNNING) return;
  const uint64_t *resume = (const uint64_t *)((const char *)task + CRP_TASK_RESUME);
  if (CRP_LIKELY(crp_is_first_function(__atomic_load_n(resume, __ATOMIC_ACQUIRE)))) return;
  int64_t now = crp_now();
  crp_ledger_visit((uint64_t)task, set_ran, &now);
}

static void end_creation(crp_thread *thread, crp_ledger_entry *entry, void *task, size_t create_flags) {
  entry->key = (uint64_t)task;
  entry->id = swift_task_getJobTaskId(task);
  entry->kind = kind_of(task, create_flags);
  entry->priority = (uint8_t)(crp_task_word(task, CRP_TASK_FLAGS) >> 8);
  if (crp_ledger_insert(entry)) {
    crp_add(&thread->block->tasks_created);
    if (entry->birth_iteration != 0) crp_add(&thread->block->iteration_tasks_created);
    if (is_watched(entry)) __atomic_fetch_add(&watched_created, 1, __ATOMIC_RELAXED);
    count_alive();
    note_first_run(task);
  } else {
    crp_event_lost();
  }
  __atomic_store_n(&thread->creating, thread->creating + 1, __ATOMIC_RELEASE);
}

// Task.sleep makes a task as its timer, which nobody enqueues and which stays until its deadline. It is no task of
// the program's, and only the wrapped linking would see it. No other task is made without any flag but a priority.
static bool is_timer(size_t create_flags) { return create_flags >> CREATE_FLAGS_SHIFT == 0; }

CRP_SWIFT task_and_context CRP_HOOK(swift_task_create)(size_t flags, void *options, const void *result_type,
                                                       void *function, void *closure) {
  if (!probing() || is_timer(flags)) {
    task_and_context timer = CRP_REAL(swift_task_create)(flags, options, result_type, function, closure);
    if (CRP_UNLIKELY(crp_is_tracing)) crp_trace_timer_made(timer.task, function);
    return timer;
  }
  crp_thread *thread = crp_thread_state();
  crp_ledger_entry entry = begin_creation(thread, __builtin_frame_address(0), options);
  task_and_context made = CRP_REAL(swift_task_create)(flags, options, result_type, function, closure);
  end_creation(thread, &entry, made.task, flags);
  if (CRP_UNLIKELY(crp_is_tracing)) crp_trace_task_made(&entry, function);
  return made;
}

#ifndef CRP_WRAP
// The shared library makes these tasks without leaving itself. Wrapped, they come through swift_task_create.
CRP_SWIFT void CRP_HOOK(swift_asyncLet_begin)(void *async_let, void *options, const void *result_type, void *function,
                                              void *closure, void *result_buffer) {
  if (!probing()) {
    CRP_REAL(swift_asyncLet_begin)(async_let, options, result_type, function, closure, result_buffer);
    return;
  }
  crp_thread *thread = crp_thread_state();
  crp_ledger_entry entry = begin_creation(thread, __builtin_frame_address(0), options);
  CRP_REAL(swift_asyncLet_begin)(async_let, options, result_type, function, closure, result_buffer);
  uintptr_t word = *(const uintptr_t *)((const char *)async_let + ASYNC_LET_TASK);
  end_creation(thread, &entry, (void *)(word & ~(uintptr_t)15), 0);
  if (CRP_UNLIKELY(crp_is_tracing)) crp_trace_task_made(&entry, function);
}
#endif

// MARK: Ended

// Also called while the probe is off: what is in the ledger must leave it before its memory goes.
void crp_task_ends(const void *task) {
  crp_ledger_entry entry;
  if (!crp_ledger_remove((uint64_t)task, &entry) || entry.kind == CRP_TASK_ADOPTED) return;
  crp_note_end(&entry);
  if (CRP_UNLIKELY(crp_is_tracing)) crp_trace_task(CRP_TRACE_TASK_ENDED, entry.id, 0);
  crp_thread *thread = crp_thread_state();
  crp_add(&thread->block->tasks_ended);
  if (entry.birth_iteration != 0) crp_add(&thread->block->iteration_tasks_ended);
  if (is_watched(&entry)) __atomic_fetch_add(&watched_ended, 1, __ATOMIC_RELAXED);
  __atomic_fetch_sub(&crp_header()->tasks_alive, 1, __ATOMIC_RELAXED);
}

// An async let that is finished before its task has ended: the task's end comes with the parent's resumption. What
// the parent resumes with is kept in an entry of its own, whose odd key is the parent's context.
static inline uint64_t finish_key(const void *context) { return (uint64_t)context | 1; }

static void set_finishing(crp_ledger_entry *entry, void *state) {
  (void)state;
  entry->marks |= CRP_MARK_FINISHING;
}

CRP_SWIFT_ASYNC static void async_let_finished(CRP_ASYNC_CONTEXT void *context) {
  crp_ledger_entry pending;
  if (!crp_ledger_remove(finish_key(context), &pending)) __builtin_trap();
  crp_task_ends((const void *)pending.parent_id);
  crp_async_function resume = (crp_async_function)pending.id;
  CRP_TAIL resume(context);
}

CRP_SWIFT_ASYNC void CRP_HOOK(swift_asyncLet_finish)(CRP_ASYNC_CONTEXT void *context, void *async_let, void *buffer,
                                                     crp_async_function resume, void *call_context) {
  uintptr_t word = *(const uintptr_t *)((const char *)async_let + ASYNC_LET_TASK);
  void *task = (void *)(word & ~(uintptr_t)15);
  crp_ledger_entry entry;
  if (!crp_ledger_find((uint64_t)task, &entry)) {
    CRP_TAIL CRP_REAL(swift_asyncLet_finish)(context, async_let, buffer, resume, call_context);
  }
  if (crp_task_word(task, CRP_TASK_STATUS) & CRP_STATUS_COMPLETE) {
    crp_task_ends(task);
    CRP_TAIL CRP_REAL(swift_asyncLet_finish)(context, async_let, buffer, resume, call_context);
  }
  crp_ledger_entry pending = {.key = finish_key(context), .id = (uint64_t)resume, .parent_id = (uint64_t)task};
  crp_ledger_visit((uint64_t)task, set_finishing, NULL);
  if (!crp_ledger_insert(&pending)) {
    crp_task_ends(task);
    crp_event_lost();
    CRP_TAIL CRP_REAL(swift_asyncLet_finish)(context, async_let, buffer, resume, call_context);
  }
  CRP_TAIL CRP_REAL(swift_asyncLet_finish)(context, async_let, buffer, async_let_finished, call_context);
}

// MARK: Cancelled

CRP_SWIFT void CRP_HOOK(swift_task_cancel)(void *task) {
  if (probing()) {
    crp_add(&crp_thread_state()->block->cancels);
    crp_note_cancel(task);
    if (CRP_UNLIKELY(crp_is_tracing)) crp_trace_task(CRP_TRACE_CANCELLED, swift_task_getJobTaskId(task), 0);
  }
  CRP_REAL(swift_task_cancel)(task);
}

// MARK: Iterations

bool crp_task_set_iteration(uint64_t tag) {
  void *task = probing() ? swift_task_getCurrent() : NULL;
  crp_ledger_entry found;
  if (task == NULL) return false;
  if (CRP_UNLIKELY(crp_is_tracing)) crp_trace_task(CRP_TRACE_TAGGED, swift_task_getJobTaskId(task), tag);
  if (find_creator(task, &found)) return crp_ledger_set_iteration((uint64_t)task, tag);
  // Made before the start, or by a thread that has had no core since, and enters it later.
  crp_ledger_entry entry = {.key = (uint64_t)task, .iteration = tag, .kind = CRP_TASK_ADOPTED};
  entry.id = swift_task_getJobTaskId(task);
  return crp_ledger_adopt(&entry);
}

uint64_t crp_task_iteration(void) {
  void *task = probing() ? swift_task_getCurrent() : NULL;
  crp_ledger_entry found;
  return task != NULL && find_creator(task, &found) ? found.iteration : 0;
}

void crp_watch_iteration(uint64_t tag) {
  __atomic_store_n(&watched_iteration, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&watched_created, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&watched_ended, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&watched_iteration, tag, __ATOMIC_RELEASE);
}

void crp_watched_tasks(uint64_t *created, uint64_t *ended) {
  *created = __atomic_load_n(&watched_created, __ATOMIC_RELAXED);
  *ended = __atomic_load_n(&watched_ended, __ATOMIC_RELAXED);
}

#else

bool crp_task_set_iteration(uint64_t tag) { return (void)tag, false; }
uint64_t crp_task_iteration(void) { return 0; }
void crp_watch_iteration(uint64_t tag) { (void)tag; }
void crp_watched_tasks(uint64_t *created, uint64_t *ended) { *created = *ended = 0; }

#endif

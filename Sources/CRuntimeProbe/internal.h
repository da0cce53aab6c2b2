#ifndef CRP_INTERNAL_H
#define CRP_INTERNAL_H

#include <sched.h>

#include "CRuntimeProbe.h"

// Overridden to compile what stands in where the probe is absent.
#ifndef CRP_SUPPORTED
#if defined(__x86_64__) && defined(__linux__) && defined(__clang__)
#define CRP_SUPPORTED 1
#else
#define CRP_SUPPORTED 0
#endif
#endif

// Of the short holds after a fast arrival, one in so many is timed, on average; once a thread has timed
// CRP_DENSE_SAMPLES of an actor type, one in CRP_SPARSE_WEIGHT times so many, and it counts for as many.
#define CRP_HOLD_STRIDE 16u
#define CRP_DENSE_SAMPLES 256u
#define CRP_SPARSE_WEIGHT 4u

#define CRP_LIKELY(x) __builtin_expect(!!(x), 1)
#define CRP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define CRP_HIDDEN __attribute__((visibility("hidden")))

// The runtime's calling conventions.
#define CRP_SWIFT __attribute__((swiftcall))
#define CRP_SWIFT_ASYNC __attribute__((swiftasynccall))
#define CRP_CONTEXT __attribute__((swift_context))
#define CRP_ASYNC_CONTEXT __attribute__((swift_async_context))
#define CRP_TAIL __attribute__((musttail)) return

// HOOK(f): our function's name. REAL(f): the runtime's own function behind it.
#ifdef CRP_WRAP
#define CRP_HOOK(name) __wrap_##name
#define CRP_REAL(name) __real_##name
#else
#define CRP_HOOK(name) name
#define CRP_REAL(name) crp_real_##name
#endif

// The name of a hook as text.
#define CRP_TEXT(name) CRP_TEXT_OF(name)
#define CRP_TEXT_OF(name) #name

// MARK: What the ledger holds

enum {
  CRP_ADDRESS_BYTES = 6,  // an address of user space
  CRP_MARK_FINISHING = 1,  // the async let is being finished: its memory is no longer ours to read
  CRP_MARK_END_NOTED = 2,  // its end has been kept
  CRP_MARK_FOLLOWED = 4
};

// 152 bytes; with its share of the buckets at most 160 for a task.
typedef struct crp_ledger_entry {
  uint64_t key;  // the task's address
  uint64_t id;
  uint64_t parent_id;
  uint64_t iteration;
  uint64_t birth_iteration;  // the tag it inherited; what it is counted under
  int64_t cancelled_at;      // crp_now of the first cancel seen; 0: none
  int64_t last_ran;          // crp_now when it was last seen to run; 0: never, or not classifying
  uint32_t next;
  uint8_t kind;
  uint8_t address_count;
  uint8_t marks;
  uint8_t priority;
  uint8_t addresses[CRP_CREATION_ADDRESSES][CRP_ADDRESS_BYTES];
  char name[CRP_TASK_NAME_SIZE];  // without an ending zero byte where it fills the field
} crp_ledger_entry;

_Static_assert(sizeof(crp_ledger_entry) == 152, "a task of the ledger takes 160 bytes at most");

static inline void crp_pack(uint8_t *out, uint64_t address) {
  for (int i = 0; i < CRP_ADDRESS_BYTES; i++) out[i] = (uint8_t)(address >> (8 * i));
}

static inline uint64_t crp_unpack(const uint8_t *packed) {
  uint64_t address = 0;
  for (int i = 0; i < CRP_ADDRESS_BYTES; i++) address |= (uint64_t)packed[i] << (8 * i);
  return address;
}

#if CRP_SUPPORTED

typedef CRP_SWIFT_ASYNC void (*crp_async_function)(CRP_ASYNC_CONTEXT void *context);

typedef struct crp_executor {
  uintptr_t identity;
  uintptr_t implementation;
} crp_executor;

// Functions of the runtime that are only called.
CRP_SWIFT crp_executor swift_task_getCurrentExecutor(void);
CRP_SWIFT void *swift_task_getCurrent(void);
CRP_SWIFT bool swift_task_isMainExecutor(uintptr_t identity, uintptr_t implementation);
CRP_SWIFT void *swift_task_alloc(size_t size);
CRP_SWIFT void swift_task_dealloc(void *address);
CRP_SWIFT uint64_t swift_task_getJobTaskId(void *job);

// Offsets in a task, checked by crp_check_layout.
enum {
  CRP_TASK_FLAGS = 0x20,           // u32
  CRP_TASK_RESUME = 0x38,          // what runs when the task goes on
  CRP_TASK_RESUME_CONTEXT = 0x40,  // and on which context
  CRP_TASK_STATUS = 0x60,          // u32
  CRP_FLAG_CHILD = 1u << 24,
  CRP_FLAG_GROUP_CHILD = 1u << 26,
  CRP_FLAG_ASYNC_LET = 1u << 28,
  CRP_STATUS_CANCELLED = 0x100,
  CRP_STATUS_RUNNING = 0x800,
  CRP_STATUS_ENQUEUED = 0x1000,
  CRP_STATUS_COMPLETE = 0x2000
};

static inline uint32_t crp_task_priority(const void *task) {
  return (__atomic_load_n((const uint32_t *)((const char *)task + CRP_TASK_FLAGS), __ATOMIC_RELAXED) >> 8) & 0xFF;
}

static inline uint32_t crp_task_word(const void *task, size_t offset) {
  return __atomic_load_n((const uint32_t *)((const char *)task + offset), __ATOMIC_ACQUIRE);
}

// The job itself, if its flags say that it is a task.
static inline const void *crp_as_task(const void *job) {
  return (crp_task_word(job, CRP_TASK_FLAGS) & 0xFF) == 0 ? job : NULL;
}

#define CRP_ACTOR_CACHE 64u

// Of a default actor: the word that holds its state; checked as it is used, see crp_begin_timed_hold.
enum { UNKNOWN_PRIORITY = 0x100 };

enum { CRP_ACTOR_STATE = 0x20, CRP_ACTOR_STATE_MASK = 7, CRP_ACTOR_IDLE = 0, CRP_ACTOR_RUNNING = 2 };

// A contended actor instance. Entries are found by address and never given back.
typedef struct crp_instance {
  uintptr_t identity;
  uint32_t slot;
  uint32_t waiting;  // tasks that found it busy and have not resumed
  uint32_t running;  // open holds; kept for executors whose state cannot be read
  uint32_t reserved;
  uint64_t arrivals;  // those that were not fast
  uint64_t held;      // time of the holds that were timed in full
  uint64_t longest_wait;
} __attribute__((aligned(64))) crp_instance;

// A task on its way to another executor. Begins like every async context, so that a walk over parked contexts
// passes through it to the real one.
typedef struct crp_switch_frame {
  void *parent;
  void (*resume)(void);  // a crp_async_function
  uint64_t job;  // the one that it left from
  uintptr_t identity;
  uint64_t arrival;  // on the path's clock; 0: not taken
  uint32_t slot;
  uint32_t depth;
  union {
    crp_instance *instance;         // in use: the target's, where the task is counted as waiting
    struct crp_switch_frame *next;  // free
  };
} __attribute__((aligned(64))) crp_switch_frame;

_Static_assert(sizeof(crp_switch_frame) == 64, "a frame fills one line of the cache");

// A task's stay on an actor, on the thread where it began.
typedef struct crp_hold {
  uint64_t is_open;
  uintptr_t identity;
  union {
    struct {
      uint32_t slot;
      uint32_t kind;  // a crp_hold_kind
    };
    uint64_t untimed_slot;  // both in one store: CRP_HOLD_UNTIMED is 0
  };
  uint64_t start;
  uint64_t suspended_at;   // it awaits since then, or went on at once; 0: neither
  const void *task;        // set when timed
  uint32_t weight;         // set when sampled
  crp_instance *instance;  // set after a slow arrival
} crp_hold;

typedef enum crp_hold_kind { CRP_HOLD_UNTIMED, CRP_HOLD_SAMPLED, CRP_HOLD_TIMED, CRP_HOLD_PROVISIONAL } crp_hold_kind;

_Static_assert(CRP_HOLD_UNTIMED == 0, "see crp_hold.untimed_slot");

// The jobs of a thread are numbered from index + 1 times this.
#define CRP_FIRST_JOB (1ull << 40)

// What the probe keeps of a thread, outside the mapped file. Reused by a later thread when this one ends.
typedef struct crp_thread {
  crp_thread_block *block;
  uint64_t job;  // grows with every job the thread starts and ends; no other thread has the same, see CRP_FIRST_JOB
  crp_hold hold;
  uint64_t hold_sequence;  // grows with every hold
  uint64_t attention;      // the hold_sequence of a hold that somebody wants to know the end of
  uint32_t sample_state;
  uint32_t job_priority;  // of the task that is run as a job; UNKNOWN_PRIORITY where the job is no task
  uint64_t job_depth;  // jobs running inside one another on this thread
  uint32_t notes_left;   // arrivals to be noted although they look fast
  uint32_t notes_window;
  crp_switch_frame *frames;
  uint64_t frames_gained;  // that came with tasks from other threads, since the list was last looked at
  // Written by others, about the hold `attention` names.
  uint64_t watch_sequence;  // the watcher saw it at watch_start
  uint64_t watch_start;
  uint64_t waiter_sequence;  // a task of waiter_priority has waited for its end since waiter_start
  uint64_t waiter_start;
  uint64_t waiter_priority;
  uint64_t tid;
  bool is_shared;  // by several threads; nothing is classified there
  uint16_t sets[CRP_ACTOR_CAPACITY];  // index + 1 of the crp_hold_set; UINT16_MAX: none was free
  uintptr_t stack_low;
  uintptr_t stack_high;
  // Of a trace: the rest of this thread's chunk, and what runs here as its events have it; 0: none.
  crp_trace_event *trace_next;
  crp_trace_event *trace_end;
  uint64_t trace_task;
  bool trace_begun;  // the last event is a job's beginning
  uintptr_t trace_identity;
  uint64_t creating;  // odd while this thread is inside swift_task_create
  uint64_t in_use;
  struct {
    uintptr_t type;
    uint32_t slot;
  } cache[CRP_ACTOR_CACHE];
} __attribute__((aligned(128))) crp_thread;

CRP_HIDDEN extern uint32_t crp_mode_in_force;
// In the static block of each thread, so that looking it up calls nothing.
CRP_HIDDEN extern __thread crp_thread *crp_this_thread __attribute__((tls_model("initial-exec")));
// Not 0 while a trace is on; see trace_events.c.
CRP_HIDDEN extern uint32_t crp_is_tracing;
CRP_HIDDEN extern uintptr_t crp_main_identity;
CRP_HIDDEN extern crp_thread crp_threads[CRP_BLOCK_CAPACITY];

CRP_HIDDEN crp_thread *crp_attach_thread(void);
// The realtime signal that asks a thread for its stack.
CRP_HIDDEN int crp_watch_signal(void);

static inline crp_thread *crp_thread_state(void) {
  crp_thread *thread = crp_this_thread;
  return CRP_LIKELY(thread != NULL) ? thread : crp_attach_thread();
}

// A counter has one writer, so a plain add would do; the store must not tear.
static inline void crp_add(uint64_t *counter) {
  __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

CRP_HIDDEN uint32_t crp_actor_slot_slow(crp_thread *thread, crp_executor executor, uintptr_t type);

static inline uint32_t crp_cache_index(uintptr_t type) { return (uint32_t)(type >> 4) % CRP_ACTOR_CACHE; }

static inline uint32_t crp_slot_of(crp_thread *thread, crp_executor executor) {
  if (executor.identity == __atomic_load_n(&crp_main_identity, __ATOMIC_RELAXED)) return 0;
  uintptr_t type = *(const uintptr_t *)executor.identity;
  uint32_t index = crp_cache_index(type);
  if (CRP_LIKELY(thread->cache[index].type == type)) return thread->cache[index].slot;
  return crp_actor_slot_slow(thread, executor, type);
}

CRP_HIDDEN uint64_t crp_ticks_taken_slow(void);
CRP_HIDDEN extern bool crp_has_cycle_counter;

// The clock on the path, in ticks: see cycle_clock.c.
static inline uint64_t crp_ticks(void) {
  return CRP_LIKELY(crp_has_cycle_counter) ? __builtin_ia32_rdtsc() : crp_ticks_taken_slow();
}

CRP_HIDDEN void crp_calibrate_clock(void);
// The clock on the path and CLOCK_MONOTONIC at one moment.
CRP_HIDDEN void crp_clock_pair(uint64_t *ticks, int64_t *time);
CRP_HIDDEN uint64_t crp_nanoseconds(uint64_t ticks);

CRP_HIDDEN void crp_note_arrival(crp_thread *thread, crp_switch_frame *frame, uintptr_t implementation, bool is_busy);
CRP_HIDDEN void crp_note_resumption(crp_thread *thread, crp_switch_frame *frame, bool is_fast);
// Whether the hold that begins after a fast arrival is one of those that are timed.
CRP_HIDDEN bool crp_is_sampled(crp_thread *thread, uint32_t slot);
CRP_HIDDEN void crp_begin_timed_hold(crp_thread *thread, crp_switch_frame *frame, bool is_fast);
CRP_HIDDEN void crp_end_hold_slow(crp_thread *thread, bool by_task);
CRP_HIDDEN void crp_note_inversion(const crp_thread *thread, uint64_t waited_nanoseconds, uint32_t holder_priority);
CRP_HIDDEN void crp_note_await(crp_thread *thread);
CRP_HIDDEN void crp_close_hold_before(crp_thread *thread);
CRP_HIDDEN void crp_unseen_hold(crp_thread *thread, uint32_t slot);
CRP_HIDDEN void crp_continue_hold(crp_thread *thread, crp_executor executor, uint32_t slot, crp_hold_kind kind);

// `by_task`: the holder itself is on this thread, so the end is now.
static inline void crp_end_hold(crp_thread *thread, bool by_task) {
  crp_hold *hold = &thread->hold;
  if (!hold->is_open) return;
  if (CRP_UNLIKELY(hold->kind != CRP_HOLD_UNTIMED
                   || __atomic_load_n(&thread->attention, __ATOMIC_RELAXED) == thread->hold_sequence)) {
    crp_end_hold_slow(thread, by_task);
  }
  __atomic_store_n(&hold->is_open, 0, __ATOMIC_RELAXED);
}

CRP_HIDDEN void crp_task_ends(const void *task);
CRP_HIDDEN void crp_learn_first_functions(void);
CRP_HIDDEN bool crp_is_first_function(uint64_t function);
CRP_HIDDEN void crp_job_returned(const void *job);
CRP_HIDDEN void crp_note_cancel(const void *task);
CRP_HIDDEN void crp_note_end(crp_ledger_entry *entry);

// A job begins on this thread, and ends. `identity`: the executor that it is run on, 0 where it is not known.
typedef struct {
  crp_hold outer;  // of the job that this one runs inside of
  uint32_t outer_priority;
  uint32_t outer_notes;
  bool is_noted;
  bool is_repeated;  // in the trace: the job that had just begun
} crp_job_frame;
// `task`: the job, where it is known to be a task; NULL else.
CRP_HIDDEN void crp_job_begins(crp_job_frame *frame, crp_executor executor, const void *task);
CRP_HIDDEN void crp_job_ends(crp_job_frame *frame);
// The job runs on a task executor: no switch in it takes the thread along, so each arrival may have to wait.
CRP_HIDDEN void crp_expect_waits(crp_job_frame *frame);

// MARK: Traces

// Whether a switch is to be traced that resumes in this function; false the second time it comes by.
CRP_HIDDEN CRP_SWIFT_ASYNC void crp_hooked_switch(CRP_ASYNC_CONTEXT void *context, crp_async_function resume,
                                                  uintptr_t identity, uintptr_t implementation);
CRP_HIDDEN bool crp_traces(crp_async_function resume);
CRP_HIDDEN CRP_SWIFT_ASYNC void crp_trace_arrived(CRP_ASYNC_CONTEXT void *context);
CRP_HIDDEN CRP_SWIFT_ASYNC void crp_traced_switch(CRP_ASYNC_CONTEXT void *context, crp_async_function resume,
                                                  uintptr_t identity, uintptr_t implementation);
// Whether a task that goes on there comes from a hop that was seen.
CRP_HIDDEN bool crp_ends_hop(const void *code);
CRP_HIDDEN void crp_trace_awaits(const void *continuation);
// Whether it is the job that has just begun, met again.
CRP_HIDDEN bool crp_trace_job_begins(crp_executor executor, const void *task);
CRP_HIDDEN void crp_trace_job_ends(bool is_repeated);
CRP_HIDDEN void crp_trace_timer_made(void *task, const void *function);
CRP_HIDDEN void crp_trace_task_made(const crp_ledger_entry *entry, const void *function);
CRP_HIDDEN void crp_trace_task(crp_trace_kind kind, uint64_t task, uint64_t tag);

#endif  // CRP_SUPPORTED

CRP_HIDDEN crp_file_header *crp_header(void);
CRP_HIDDEN crp_progress *crp_progress_block(void);
CRP_HIDDEN crp_actor_entry *crp_actor_entries(void);
CRP_HIDDEN crp_thread_block *crp_block(uint32_t index);
CRP_HIDDEN crp_hold_set *crp_hold_set_at(uint32_t index);
CRP_HIDDEN void crp_event_lost(void);

// MARK: Locks

static inline void crp_pause(void) {
#if CRP_SUPPORTED
  __builtin_ia32_pause();
#endif
}

static inline void crp_lock(uint32_t *lock) {
  for (unsigned spins = 0; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0; spins++) {
    if (spins % 64 == 63) {
      sched_yield();
    } else {
      crp_pause();
    }
  }
}

static inline void crp_unlock(uint32_t *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

// MARK: Ledger

// Enters a task; one that was adopted under its key is made this one.
CRP_HIDDEN bool crp_ledger_insert(const crp_ledger_entry *entry);
// Enters a task of CRP_TASK_ADOPTED, unless there is one under its key: that one gets its tag.
CRP_HIDDEN bool crp_ledger_adopt(const crp_ledger_entry *entry);
CRP_HIDDEN bool crp_ledger_find(uint64_t key, crp_ledger_entry *out);
CRP_HIDDEN bool crp_ledger_remove(uint64_t key, crp_ledger_entry *out);
CRP_HIDDEN bool crp_ledger_set_iteration(uint64_t key, uint64_t iteration);
// Visits one entry with its shard's lock held; false if there is none.
CRP_HIDDEN bool crp_ledger_visit(uint64_t key, void (*visit)(crp_ledger_entry *entry, void *state), void *state);
CRP_HIDDEN void crp_ledger_each(void (*visit)(crp_ledger_entry *entry, void *state), void *state);

#endif

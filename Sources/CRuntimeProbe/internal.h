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

static inline uint32_t crp_task_word(const void *task, size_t offset) {
  return __atomic_load_n((const uint32_t *)((const char *)task + offset), __ATOMIC_ACQUIRE);
}

#define CRP_ACTOR_CACHE 64u

// What the probe keeps of a thread, outside the mapped file. Reused by a later thread when this one ends.
typedef struct crp_thread {
  crp_thread_block *block;
  uint64_t job_sequence;  // grows with every job the thread starts
  uintptr_t stack_low;
  uintptr_t stack_high;
  uint64_t creating;  // odd while this thread is inside swift_task_create
  uint64_t in_use;
  struct {
    uintptr_t type;
    uint32_t slot;
  } cache[CRP_ACTOR_CACHE];
} __attribute__((aligned(128))) crp_thread;

CRP_HIDDEN extern uint32_t crp_mode_in_force;
CRP_HIDDEN extern __thread crp_thread *crp_this_thread;
CRP_HIDDEN extern uintptr_t crp_main_identity;
CRP_HIDDEN extern crp_thread crp_threads[CRP_BLOCK_CAPACITY];

CRP_HIDDEN crp_thread *crp_attach_thread(void);

static inline crp_thread *crp_thread_state(void) {
  crp_thread *thread = crp_this_thread;
  return CRP_LIKELY(thread != NULL) ? thread : crp_attach_thread();
}

// A counter has one writer, so a plain add would do; the store must not tear.
static inline void crp_add(uint64_t *counter) {
  __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
}

CRP_HIDDEN uint32_t crp_actor_slot_slow(crp_thread *thread, crp_executor executor, uintptr_t type);
CRP_HIDDEN void crp_task_ends(const void *task);
CRP_HIDDEN void crp_learn_first_functions(void);
CRP_HIDDEN bool crp_is_first_function(uint64_t function);
CRP_HIDDEN void crp_job_returned(const void *job);
CRP_HIDDEN void crp_note_cancel(const void *task);
CRP_HIDDEN void crp_note_end(crp_ledger_entry *entry);
CRP_HIDDEN void crp_job_starts(void);

#endif  // CRP_SUPPORTED

CRP_HIDDEN crp_file_header *crp_header(void);
CRP_HIDDEN crp_progress *crp_progress_block(void);
CRP_HIDDEN crp_actor_entry *crp_actor_entries(void);
CRP_HIDDEN crp_thread_block *crp_block(uint32_t index);
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

CRP_HIDDEN bool crp_ledger_insert(const crp_ledger_entry *entry);
CRP_HIDDEN bool crp_ledger_find(uint64_t key, crp_ledger_entry *out);
CRP_HIDDEN bool crp_ledger_remove(uint64_t key, crp_ledger_entry *out);
CRP_HIDDEN bool crp_ledger_set_iteration(uint64_t key, uint64_t iteration);
// Visits one entry with its shard's lock held; false if there is none.
CRP_HIDDEN bool crp_ledger_visit(uint64_t key, void (*visit)(crp_ledger_entry *entry, void *state), void *state);
CRP_HIDDEN void crp_ledger_each(void (*visit)(crp_ledger_entry *entry, void *state), void *state);

#endif

// swift_task_switch and the starts of jobs: hops, and switches by outcome.
//
// Outcomes. `same`: the task is already where it wants to be. Else the runtime either takes the target over on this
// thread (fast) or parks the task and enqueues it (slow). To tell these apart exactly the task resumes in
// `resumed`: same thread and no job started since means fast. What `resumed` needs lies in a frame from the task's
// own allocator, which is a stack: between the switch and the resumption the task allocates nothing that outlives it.
//
// Not told apart: a task whose preferred task executor changes while its actor stays. The runtime enqueues it; here,
// where only the actor's identity is compared, it is `same`.

#include "internal.h"

#if CRP_SUPPORTED

#ifdef CRP_WRAP
CRP_SWIFT_ASYNC void CRP_REAL(swift_task_switch)(CRP_ASYNC_CONTEXT void *, crp_async_function, uintptr_t, uintptr_t);
CRP_SWIFT void CRP_REAL(swift_job_run)(void *, uintptr_t, uintptr_t);
CRP_SWIFT void CRP_REAL(swift_job_run_on_task_executor)(void *, uintptr_t, uintptr_t);
CRP_SWIFT void CRP_REAL(swift_job_run_on_serial_and_task_executor)(void *, uintptr_t, uintptr_t, uintptr_t,
                                                                   uintptr_t);
#else
CRP_HIDDEN extern CRP_SWIFT_ASYNC void (*CRP_REAL(swift_task_switch))(CRP_ASYNC_CONTEXT void *, crp_async_function, uintptr_t,
                                                               uintptr_t);
CRP_HIDDEN extern CRP_SWIFT void (*CRP_REAL(swift_job_run))(void *, uintptr_t, uintptr_t);
CRP_HIDDEN extern CRP_SWIFT void (*CRP_REAL(swift_job_run_on_task_executor))(void *, uintptr_t, uintptr_t);
CRP_HIDDEN extern CRP_SWIFT void (*CRP_REAL(swift_job_run_on_serial_and_task_executor))(void *, uintptr_t, uintptr_t,
                                                                                uintptr_t, uintptr_t);
#endif

uint32_t crp_mode_in_force;

// Begins like every async context, so that a walk over parked contexts passes through it to the real one.
typedef struct {
  void *parent;
  crp_async_function resume;
  crp_thread *thread;
  uint64_t job_sequence;
  uint64_t slot;
  uint64_t reserved;
} switch_frame;

enum { GENERIC_SLOT = CRP_ACTOR_CAPACITY };

static inline uint32_t slot_of(crp_thread *thread, crp_executor executor) {
  if (executor.identity == __atomic_load_n(&crp_main_identity, __ATOMIC_RELAXED)) return 0;
  uintptr_t type = *(const uintptr_t *)executor.identity;
  uint32_t index = (uint32_t)(type >> 4) % CRP_ACTOR_CACHE;
  if (CRP_LIKELY(thread->cache[index].type == type)) return thread->cache[index].slot;
  return crp_actor_slot_slow(thread, executor, type);
}

CRP_SWIFT_ASYNC static void resumed(CRP_ASYNC_CONTEXT void *context) {
  switch_frame *frame = context;
  void *parent = frame->parent;
  crp_async_function resume = frame->resume;
  crp_thread *thread = crp_thread_state();
  bool fast = frame->thread == thread && frame->job_sequence == thread->job_sequence;
  crp_add(fast ? &thread->block->switches_fast : &thread->block->switches_slow);
  if (frame->slot != GENERIC_SLOT) {
    crp_actor_counters *actor = &thread->block->actors[frame->slot];
    crp_add(fast ? &actor->fast : &actor->slow);
  }
  swift_task_dealloc(frame);
  CRP_TAIL resume(parent);
}

CRP_SWIFT_ASYNC void CRP_HOOK(swift_task_switch)(CRP_ASYNC_CONTEXT void *context, crp_async_function resume,
                                                 uintptr_t identity, uintptr_t implementation) {
  uint32_t mode = __atomic_load_n(&crp_mode_in_force, __ATOMIC_RELAXED);
  if (CRP_LIKELY(mode == CRP_MODE_OFF)) CRP_TAIL CRP_REAL(swift_task_switch)(context, resume, identity, implementation);

  crp_thread *thread = crp_thread_state();
  if (swift_task_getCurrentExecutor().identity == identity) {
    crp_add(&thread->block->switches_same);
    CRP_TAIL CRP_REAL(swift_task_switch)(context, resume, identity, implementation);
  }
  crp_add(&thread->block->switches_moved);
  uint64_t slot = GENERIC_SLOT;
  if (identity != 0) {
    slot = slot_of(thread, (crp_executor){identity, implementation});
    crp_add(&thread->block->actors[slot].hops);
  }
  if (mode != CRP_MODE_CLASSIFYING) CRP_TAIL CRP_REAL(swift_task_switch)(context, resume, identity, implementation);

  switch_frame *frame = swift_task_alloc(sizeof(switch_frame));
  frame->parent = context;
  frame->resume = resume;
  frame->thread = thread;
  frame->job_sequence = thread->job_sequence;
  frame->slot = slot;
  CRP_TAIL CRP_REAL(swift_task_switch)(frame, resumed, identity, implementation);
}

// MARK: Starts of jobs

static inline void job_starts(void) {
  if (__atomic_load_n(&crp_mode_in_force, __ATOMIC_RELAXED) == CRP_MODE_CLASSIFYING) crp_thread_state()->job_sequence++;
}

CRP_SWIFT void CRP_HOOK(swift_job_run)(void *job, uintptr_t identity, uintptr_t implementation) {
  job_starts();
  CRP_REAL(swift_job_run)(job, identity, implementation);
  crp_job_returned(job);
}

CRP_SWIFT void CRP_HOOK(swift_job_run_on_task_executor)(void *job, uintptr_t identity, uintptr_t implementation) {
  job_starts();
  CRP_REAL(swift_job_run_on_task_executor)(job, identity, implementation);
  crp_job_returned(job);
}

CRP_SWIFT void CRP_HOOK(swift_job_run_on_serial_and_task_executor)(void *job, uintptr_t serial_identity,
                                                                   uintptr_t serial_implementation,
                                                                   uintptr_t task_identity,
                                                                   uintptr_t task_implementation) {
  job_starts();
  CRP_REAL(swift_job_run_on_serial_and_task_executor)(job, serial_identity, serial_implementation, task_identity,
                                                      task_implementation);
  crp_job_returned(job);
}

// Jobs started by dispatch come through their metadata; see metadata.c.
void crp_job_starts(void) { job_starts(); }

#endif

// swift_task_switch and the starts of jobs: hops, and switches by outcome.
//
// Outcomes. `same`: the task is already where it wants to be. Else the runtime either takes the target over on this
// thread (fast) or parks the task and enqueues it (slow). To tell these apart exactly the task resumes in
// `resumed`: same thread and no job started since means fast. What `resumed` needs lies in a frame of the probe's
// own, from a list that the thread keeps.
//
// Classifying, each arrival on an actor and each stay there are noted as well: see holds.c.
//
// Not told apart: a task whose preferred task executor changes while its actor stays. The runtime enqueues it; here,
// where only the actor's identity is compared, it is `same`.

#include "internal.h"

#if CRP_SUPPORTED

#ifdef CRP_WRAP
CRP_SWIFT_ASYNC void CRP_REAL(swift_task_switch)(CRP_ASYNC_CONTEXT void *, crp_async_function, uintptr_t, uintptr_t);
CRP_SWIFT_ASYNC void CRP_REAL(swift_continuation_await)(void *);
CRP_SWIFT void CRP_REAL(swift_job_run)(void *, uintptr_t, uintptr_t);
CRP_SWIFT void CRP_REAL(swift_job_run_on_task_executor)(void *, uintptr_t, uintptr_t);
CRP_SWIFT void CRP_REAL(swift_job_run_on_serial_and_task_executor)(void *, uintptr_t, uintptr_t, uintptr_t,
                                                                   uintptr_t);
#else
CRP_HIDDEN extern CRP_SWIFT_ASYNC void (*CRP_REAL(swift_task_switch))(CRP_ASYNC_CONTEXT void *, crp_async_function, uintptr_t,
                                                               uintptr_t);
CRP_HIDDEN extern CRP_SWIFT_ASYNC void (*CRP_REAL(swift_continuation_await))(void *);
CRP_HIDDEN extern CRP_SWIFT void (*CRP_REAL(swift_job_run))(void *, uintptr_t, uintptr_t);
CRP_HIDDEN extern CRP_SWIFT void (*CRP_REAL(swift_job_run_on_task_executor))(void *, uintptr_t, uintptr_t);
CRP_HIDDEN extern CRP_SWIFT void (*CRP_REAL(swift_job_run_on_serial_and_task_executor))(void *, uintptr_t, uintptr_t,
                                                                                uintptr_t, uintptr_t);
#endif

uint32_t crp_mode_in_force;

enum { GENERIC_SLOT = CRP_ACTOR_CAPACITY };

// MARK: Frames

static inline crp_switch_frame *take_frame(crp_thread *thread) {
  crp_switch_frame *frame = thread->frames;
  if (CRP_UNLIKELY(frame == NULL)) return crp_frame_slow(thread);
  thread->frames = frame->next;
  thread->frame_count--;
  return frame;
}

static inline void give_frame(crp_thread *thread, crp_switch_frame *frame) {
  frame->next = thread->frames;
  thread->frames = frame;
  if (CRP_UNLIKELY(++thread->frame_count > 1024)) crp_frame_overflow(thread);
}

// MARK: Routes

static inline void count_route(crp_thread *thread, uint32_t from, uint32_t onto) {
  uint32_t key = (from << 16 | onto) + 1;
  uint32_t index = (from * 7 + onto) % CRP_ROUTE_CAPACITY;
  crp_route *routes = thread->block->routes;
  for (uint32_t probes = 0; probes < CRP_ROUTE_CAPACITY; probes++, index = (index + 1) % CRP_ROUTE_CAPACITY) {
    crp_route *route = &routes[index];
    if (CRP_UNLIKELY(route->key == 0)) __atomic_store_n(&route->key, key, __ATOMIC_RELEASE);
    if (CRP_LIKELY(route->key == key)) {
      crp_add(&route->hops);
      return;
    }
  }
  crp_add(&thread->block->routes_lost);
}

// MARK: Switches

static inline void begin_hold(crp_thread *thread, crp_switch_frame *frame, bool fast) {
  crp_hold *hold = &thread->hold;
  if (CRP_UNLIKELY(hold->is_open)) crp_close_hold_before(thread);
  hold->kind = CRP_HOLD_UNTIMED;
  hold->slot = frame->slot;
  __atomic_store_n(&hold->identity, frame->identity, __ATOMIC_RELAXED);
  __atomic_store_n(&thread->hold_sequence, thread->hold_sequence + 1, __ATOMIC_RELAXED);
  if (CRP_UNLIKELY(!fast || --thread->until_sample == 0)) crp_begin_timed_hold(thread, frame, fast);
  __atomic_store_n(&hold->is_open, 1, __ATOMIC_RELAXED);
}

CRP_SWIFT_ASYNC static void resumed(CRP_ASYNC_CONTEXT void *context) {
  crp_switch_frame *frame = context;
  void *parent = frame->parent;
  crp_async_function resume = (crp_async_function)frame->resume;
  crp_thread *thread = crp_thread_state();
  bool fast = frame->thread == thread && frame->job_sequence == thread->job_sequence;
  crp_add(fast ? &thread->block->switches_fast : &thread->block->switches_slow);
  if (frame->slot != GENERIC_SLOT) {
    crp_actor_counters *actor = &thread->block->actors[frame->slot];
    crp_add(fast ? &actor->fast : &actor->slow);
    if (CRP_UNLIKELY(!fast || frame->arrival != 0)) crp_note_resumption(thread, frame, fast);
    begin_hold(thread, frame, fast);
  } else if (CRP_UNLIKELY(thread->hold.is_open)) {
    // Somebody held an actor on this thread and suspended unseen.
    crp_close_hold_before(thread);
    thread->hold.is_open = 0;
  }
  give_frame(thread, frame);
  CRP_TAIL resume(parent);
}

// Whether a task that goes onto this actor may have to wait: the actor is busy, or no thread can be taken along
// there or away from here.
static inline bool may_wait(crp_thread *thread, uintptr_t from_implementation, crp_executor onto, bool *is_busy) {
  if (CRP_UNLIKELY(onto.implementation != 0)) return true;
  uint32_t state = __atomic_load_n((const uint32_t *)(onto.identity + CRP_ACTOR_STATE), __ATOMIC_RELAXED);
  *is_busy = (state & CRP_ACTOR_STATE_MASK) != CRP_ACTOR_IDLE;
  if (CRP_UNLIKELY(thread->notes_left > 0)) {
    thread->notes_left--;
    return true;
  }
  return *is_busy || from_implementation != 0;
}

// Not inlined: counting is as fast as it was.
CRP_SWIFT_ASYNC __attribute__((noinline)) static void classified_switch(CRP_ASYNC_CONTEXT void *context,
                                                                        crp_async_function resume,
                                                                        uintptr_t identity,
                                                                        uintptr_t implementation) {
  crp_thread *thread = crp_thread_state();
  crp_executor current = swift_task_getCurrentExecutor();
  if (current.identity == identity) {
    crp_add(&thread->block->switches_same);
    if (CRP_UNLIKELY(identity != 0 && !thread->hold.is_open && !thread->is_shared)) {
      // It came back from a suspension by itself.
      crp_continue_hold(thread, current, crp_slot_of(thread, current), CRP_HOLD_TIMED);
    }
    CRP_TAIL CRP_REAL(swift_task_switch)(context, resume, identity, implementation);
  }
  crp_add(&thread->block->switches_moved);
  crp_switch_frame *frame = CRP_UNLIKELY(thread->is_shared) ? NULL : take_frame(thread);
  if (CRP_UNLIKELY(frame == NULL)) {
    if (identity != 0) {
      crp_add(&thread->block->actors[crp_slot_of(thread, (crp_executor){identity, implementation})].hops);
    }
    CRP_TAIL CRP_REAL(swift_task_switch)(context, resume, identity, implementation);
  }
  uint32_t from = CRP_NO_ACTOR;
  if (current.identity != 0) {
    from = CRP_LIKELY(thread->hold.is_open && thread->hold.identity == current.identity) ? thread->hold.slot
                                                                                       : crp_slot_of(thread, current);
    if (CRP_UNLIKELY(!thread->hold.is_open)) crp_unseen_hold(thread, from);
  }
  crp_end_hold(thread, true);
  frame->parent = context;
  frame->resume = (void (*)(void))resume;
  frame->thread = thread;
  frame->slot = GENERIC_SLOT;
  if (identity != 0) {
    crp_executor onto = {identity, implementation};
    frame->slot = crp_slot_of(thread, onto);
    frame->identity = identity;
    frame->arrival = 0;
    frame->instance = NULL;
    crp_add(&thread->block->actors[frame->slot].hops);
    count_route(thread, from, frame->slot);
    bool is_busy = false;
    if (may_wait(thread, current.implementation, onto, &is_busy)) {
      crp_note_arrival(thread, frame, implementation, is_busy);
    }
  }
  frame->job_sequence = thread->job_sequence;
  CRP_TAIL CRP_REAL(swift_task_switch)(frame, resumed, identity, implementation);
}

CRP_SWIFT_ASYNC void CRP_HOOK(swift_task_switch)(CRP_ASYNC_CONTEXT void *context, crp_async_function resume,
                                                 uintptr_t identity, uintptr_t implementation) {
  uint32_t mode = __atomic_load_n(&crp_mode_in_force, __ATOMIC_RELAXED);
  if (CRP_LIKELY(mode == CRP_MODE_OFF)) CRP_TAIL CRP_REAL(swift_task_switch)(context, resume, identity, implementation);
  if (CRP_UNLIKELY(crp_is_tracing) && crp_traces(resume)) CRP_TAIL crp_traced_switch(context, resume, identity, implementation);
  if (mode == CRP_MODE_CLASSIFYING) CRP_TAIL classified_switch(context, resume, identity, implementation);

  crp_thread *thread = crp_thread_state();
  if (swift_task_getCurrentExecutor().identity == identity) {
    crp_add(&thread->block->switches_same);
  } else {
    crp_add(&thread->block->switches_moved);
    if (identity != 0) {
      crp_add(&thread->block->actors[crp_slot_of(thread, (crp_executor){identity, implementation})].hops);
    }
  }
  CRP_TAIL CRP_REAL(swift_task_switch)(context, resume, identity, implementation);
}

// For our own calls: the hook's name may lead to another one of it, in a program that has a probe built in.
CRP_SWIFT_ASYNC void crp_hooked_switch(CRP_ASYNC_CONTEXT void *, crp_async_function, uintptr_t, uintptr_t)
    __attribute__((alias(CRP_TEXT(CRP_HOOK(swift_task_switch)))));

// A holder that awaits may stay or leave; which it was shows in what the thread does next. The continuation is an
// ordinary argument, though the function is an async one.
CRP_SWIFT_ASYNC void CRP_HOOK(swift_continuation_await)(void *continuation) {
  if (__atomic_load_n(&crp_mode_in_force, __ATOMIC_RELAXED) == CRP_MODE_CLASSIFYING) {
    crp_thread *thread = crp_thread_state();
    if (thread->hold.is_open && thread->hold.kind != CRP_HOLD_UNTIMED) crp_note_await(thread);
  }
  if (CRP_UNLIKELY(crp_is_tracing)) crp_trace_awaits(continuation);
  CRP_TAIL CRP_REAL(swift_continuation_await)(continuation);
}

// MARK: Starts of jobs

CRP_SWIFT void CRP_HOOK(swift_job_run)(void *job, uintptr_t identity, uintptr_t implementation) {
  crp_job_frame frame;
  crp_job_begins(&frame, (crp_executor){identity, implementation}, crp_as_task(job));
  CRP_REAL(swift_job_run)(job, identity, implementation);
  crp_job_ends(&frame);
  crp_job_returned(job);
}

CRP_SWIFT void CRP_HOOK(swift_job_run_on_task_executor)(void *job, uintptr_t identity, uintptr_t implementation) {
  crp_job_frame frame;
  crp_job_begins(&frame, (crp_executor){0, 0}, crp_as_task(job));
  CRP_REAL(swift_job_run_on_task_executor)(job, identity, implementation);
  crp_job_ends(&frame);
  crp_job_returned(job);
}

CRP_SWIFT void CRP_HOOK(swift_job_run_on_serial_and_task_executor)(void *job, uintptr_t serial_identity,
                                                                   uintptr_t serial_implementation,
                                                                   uintptr_t task_identity,
                                                                   uintptr_t task_implementation) {
  crp_job_frame frame;
  crp_job_begins(&frame, (crp_executor){serial_identity, serial_implementation}, crp_as_task(job));
  CRP_REAL(swift_job_run_on_serial_and_task_executor)(job, serial_identity, serial_implementation, task_identity,
                                                      task_implementation);
  crp_job_ends(&frame);
  crp_job_returned(job);
}

#endif

// swift_task_switch and the starts of jobs: hops, and switches by outcome.
//
// Outcomes. `same`: the task is already where it wants to be. Else the runtime either takes the target over on this
// thread (fast) or parks the task and enqueues it (slow). To tell these apart exactly the task resumes in
// `arrived` or `departed`: same thread and no job started since means fast. What these need lies in a frame of the
// probe's own, from a list that the thread keeps.
//
// Classifying, each arrival on an actor and each stay there are noted as well: see holds.c.
//
// Not told apart: a task whose preferred task executor changes while its actor stays. The runtime enqueues it; here,
// where only the actor's identity is compared, it is `same`.

#include "internal.h"
#include "switch_frames.h"

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

// MARK: Routes

static inline uint32_t route_key(uint32_t from, uint32_t onto) { return (from << 16 | onto) + 1; }

static inline uint32_t route_index(uint32_t from, uint32_t onto) { return (from * 7 + onto) % CRP_ROUTE_CAPACITY; }

static inline void count_route(crp_thread *thread, uint32_t from, uint32_t onto) {
  uint32_t key = route_key(from, onto);
  uint32_t index = route_index(from, onto);
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

// What is common has a path of its own, without calls: a function that swiftasynccall gives a frame pays for it
// with twenty instructions. Such a path looks at everything before it changes anything, and leaves all else to the
// whole one.

static inline void open_hold(crp_thread *thread, crp_switch_frame *frame) {
  crp_hold *hold = &thread->hold;
  hold->untimed_slot = frame->slot;
  __atomic_store_n(&hold->identity, frame->identity, __ATOMIC_RELAXED);
  __atomic_store_n(&thread->hold_sequence, thread->hold_sequence + 1, __ATOMIC_RELAXED);
}

static inline void begin_hold(crp_thread *thread, crp_switch_frame *frame, bool fast) {
  if (CRP_UNLIKELY(thread->hold.is_open)) crp_close_hold_before(thread);
  open_hold(thread, frame);
  if (!fast || crp_is_sampled(thread, frame->slot)) crp_begin_timed_hold(thread, frame, fast);
  __atomic_store_n(&thread->hold.is_open, 1, __ATOMIC_RELAXED);
}

CRP_SWIFT_ASYNC __attribute__((noinline)) static void arrived_whole(CRP_ASYNC_CONTEXT void *context) {
  crp_switch_frame *frame = context;
  void *parent = frame->parent;
  crp_async_function resume = (crp_async_function)frame->resume;
  crp_thread *thread = crp_thread_state();
  bool fast = frame->job == thread->job;
  crp_actor_counters *actor = &thread->block->actors[frame->slot];
  crp_add(fast ? &actor->fast : &actor->slow);
  if (CRP_UNLIKELY(!fast || frame->arrival != 0)) crp_note_resumption(thread, frame, fast);
  begin_hold(thread, frame, fast);
  crp_give_frame(thread, frame);
  CRP_TAIL resume(parent);
}

// A task resumes on an actor.
CRP_SWIFT_ASYNC static void arrived(CRP_ASYNC_CONTEXT void *context) {
  crp_switch_frame *frame = context;
  crp_thread *thread = crp_this_thread;
  if (CRP_UNLIKELY(thread == NULL || frame->job != thread->job || frame->arrival != 0 || thread->hold.is_open)) {
    CRP_TAIL arrived_whole(context);
  }
  crp_actor_counters *actor = &thread->block->actors[frame->slot];
  if (CRP_UNLIKELY(actor->until_sample <= 1)) CRP_TAIL arrived_whole(context);
  actor->until_sample--;
  crp_add(&actor->fast);
  open_hold(thread, frame);
  __atomic_store_n(&thread->hold.is_open, 1, __ATOMIC_RELAXED);
  void *parent = frame->parent;
  crp_async_function resume = (crp_async_function)frame->resume;
  crp_keep_frame(thread, frame);
  CRP_TAIL resume(parent);
}

CRP_SWIFT_ASYNC __attribute__((noinline)) static void departed_whole(CRP_ASYNC_CONTEXT void *context) {
  crp_switch_frame *frame = context;
  void *parent = frame->parent;
  crp_async_function resume = (crp_async_function)frame->resume;
  crp_thread *thread = crp_thread_state();
  crp_add(frame->job == thread->job ? &thread->block->departures_fast : &thread->block->departures_slow);
  if (CRP_UNLIKELY(thread->hold.is_open)) {
    // Somebody held an actor on this thread and suspended unseen.
    crp_close_hold_before(thread);
    thread->hold.is_open = 0;
  }
  crp_give_frame(thread, frame);
  CRP_TAIL resume(parent);
}

// A task resumes on no actor.
CRP_SWIFT_ASYNC static void departed(CRP_ASYNC_CONTEXT void *context) {
  crp_switch_frame *frame = context;
  crp_thread *thread = crp_this_thread;
  if (CRP_UNLIKELY(thread == NULL || frame->job != thread->job || thread->hold.is_open)) {
    CRP_TAIL departed_whole(context);
  }
  crp_add(&thread->block->departures_fast);
  void *parent = frame->parent;
  crp_async_function resume = (crp_async_function)frame->resume;
  crp_keep_frame(thread, frame);
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

// Counts a switch by where it goes, and no more.
static inline void count_move(crp_thread *thread, crp_executor onto) {
  if (onto.identity == 0) {
    crp_add(&thread->block->departures);
  } else {
    crp_add(&thread->block->actors[crp_slot_of(thread, onto)].hops);
  }
}

CRP_SWIFT_ASYNC __attribute__((noinline)) static void classified_switch_whole(CRP_ASYNC_CONTEXT void *context,
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
  crp_switch_frame *frame = CRP_UNLIKELY(thread->is_shared) ? NULL : crp_take_frame(thread);
  if (CRP_UNLIKELY(frame == NULL)) {
    count_move(thread, (crp_executor){identity, implementation});
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
  frame->job = thread->job;
  if (identity == 0) {
    crp_add(&thread->block->departures);
    CRP_TAIL CRP_REAL(swift_task_switch)(frame, departed, identity, implementation);
  }
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
  CRP_TAIL CRP_REAL(swift_task_switch)(frame, arrived, identity, implementation);
}

// Between an idle default actor of a known type and no actor, or two such actors, with nothing to time.
CRP_SWIFT_ASYNC __attribute__((noinline)) static void classified_switch(CRP_ASYNC_CONTEXT void *context,
                                                                        crp_async_function resume,
                                                                        uintptr_t identity,
                                                                        uintptr_t implementation) {
  crp_executor current = swift_task_getCurrentExecutor();
  crp_thread *thread = crp_this_thread;
  if (CRP_UNLIKELY(thread == NULL || (current.implementation | implementation) != 0 || current.identity == identity)) {
    CRP_TAIL classified_switch_whole(context, resume, identity, implementation);
  }
  crp_switch_frame *frame = thread->frames;
  crp_hold *hold = &thread->hold;
  uint32_t from = CRP_NO_ACTOR;
  if (current.identity != 0) {
    from = hold->slot;
    if (CRP_UNLIKELY(!hold->is_open || hold->identity != current.identity || hold->kind != CRP_HOLD_UNTIMED
                     || __atomic_load_n(&thread->attention, __ATOMIC_RELAXED) == thread->hold_sequence)) {
      CRP_TAIL classified_switch_whole(context, resume, identity, implementation);
    }
  } else if (CRP_UNLIKELY(hold->is_open)) {
    CRP_TAIL classified_switch_whole(context, resume, identity, implementation);
  }
  // A thread that is shared keeps no frames.
  if (CRP_UNLIKELY(frame == NULL)) CRP_TAIL classified_switch_whole(context, resume, identity, implementation);
  if (identity == 0) {
    crp_add(&thread->block->departures);
    __atomic_store_n(&hold->is_open, 0, __ATOMIC_RELAXED);
    thread->frames = frame->next;
    frame->parent = context;
    frame->resume = (void (*)(void))resume;
    frame->job = thread->job;
    CRP_TAIL CRP_REAL(swift_task_switch)(frame, departed, identity, implementation);
  }
  uintptr_t type = *(const uintptr_t *)identity;
  uint32_t state = __atomic_load_n((const uint32_t *)(identity + CRP_ACTOR_STATE), __ATOMIC_RELAXED);
  uint32_t cached = crp_cache_index(type);
  uint32_t slot = thread->cache[cached].slot;
  crp_route *route = &thread->block->routes[route_index(from, slot)];
  if (CRP_UNLIKELY(thread->cache[cached].type != type || (state & CRP_ACTOR_STATE_MASK) != CRP_ACTOR_IDLE
                   || thread->notes_left > 0 || route->key != route_key(from, slot))) {
    CRP_TAIL classified_switch_whole(context, resume, identity, implementation);
  }
  crp_add(&thread->block->actors[slot].hops);
  crp_add(&route->hops);
  __atomic_store_n(&hold->is_open, 0, __ATOMIC_RELAXED);
  thread->frames = frame->next;
  frame->parent = context;
  frame->resume = (void (*)(void))resume;
  frame->job = thread->job;
  frame->identity = identity;
  frame->arrival = 0;
  frame->slot = slot;
  frame->instance = NULL;
  CRP_TAIL CRP_REAL(swift_task_switch)(frame, arrived, identity, implementation);
}

CRP_SWIFT_ASYNC __attribute__((noinline)) static void counted_switch_whole(CRP_ASYNC_CONTEXT void *context,
                                                                           crp_async_function resume,
                                                                           uintptr_t identity,
                                                                           uintptr_t implementation) {
  crp_thread *thread = crp_thread_state();
  if (swift_task_getCurrentExecutor().identity == identity) {
    crp_add(&thread->block->switches_same);
  } else {
    count_move(thread, (crp_executor){identity, implementation});
  }
  CRP_TAIL CRP_REAL(swift_task_switch)(context, resume, identity, implementation);
}

CRP_SWIFT_ASYNC __attribute__((noinline)) static void counted_switch(CRP_ASYNC_CONTEXT void *context,
                                                                     crp_async_function resume, uintptr_t identity,
                                                                     uintptr_t implementation) {
  uintptr_t current = swift_task_getCurrentExecutor().identity;
  crp_thread *thread = crp_this_thread;
  if (CRP_UNLIKELY(thread == NULL || current == identity || implementation != 0)) {
    CRP_TAIL counted_switch_whole(context, resume, identity, implementation);
  }
  if (identity == 0) {
    crp_add(&thread->block->departures);
    CRP_TAIL CRP_REAL(swift_task_switch)(context, resume, identity, implementation);
  }
  uintptr_t type = *(const uintptr_t *)identity;
  uint32_t cached = crp_cache_index(type);
  if (CRP_UNLIKELY(thread->cache[cached].type != type)) {
    CRP_TAIL counted_switch_whole(context, resume, identity, implementation);
  }
  crp_add(&thread->block->actors[thread->cache[cached].slot].hops);
  CRP_TAIL CRP_REAL(swift_task_switch)(context, resume, identity, implementation);
}

CRP_SWIFT_ASYNC __attribute__((noinline)) static void switch_while_tracing(CRP_ASYNC_CONTEXT void *context,
                                                                           crp_async_function resume,
                                                                           uintptr_t identity,
                                                                           uintptr_t implementation) {
  if (crp_traces(resume)) CRP_TAIL crp_traced_switch(context, resume, identity, implementation);
  if (__atomic_load_n(&crp_mode_in_force, __ATOMIC_RELAXED) == CRP_MODE_CLASSIFYING) {
    CRP_TAIL classified_switch(context, resume, identity, implementation);
  }
  CRP_TAIL counted_switch(context, resume, identity, implementation);
}

CRP_SWIFT_ASYNC void CRP_HOOK(swift_task_switch)(CRP_ASYNC_CONTEXT void *context, crp_async_function resume,
                                                 uintptr_t identity, uintptr_t implementation) {
  uint32_t mode = __atomic_load_n(&crp_mode_in_force, __ATOMIC_RELAXED);
  if (CRP_LIKELY(mode == CRP_MODE_OFF)) CRP_TAIL CRP_REAL(swift_task_switch)(context, resume, identity, implementation);
  if (CRP_UNLIKELY(crp_is_tracing)) CRP_TAIL switch_while_tracing(context, resume, identity, implementation);
  if (mode == CRP_MODE_CLASSIFYING) CRP_TAIL classified_switch(context, resume, identity, implementation);
  CRP_TAIL counted_switch(context, resume, identity, implementation);
}

// For our own calls: the hook's name may lead to another one of it, in a program that has a probe built in.
CRP_SWIFT_ASYNC void crp_hooked_switch(CRP_ASYNC_CONTEXT void *, crp_async_function, uintptr_t, uintptr_t)
    __attribute__((alias(CRP_TEXT(CRP_HOOK(swift_task_switch)))));

bool crp_ends_hop(const void *code) {
  return code == (const void *)arrived || code == (const void *)departed || code == (const void *)crp_trace_arrived;
}

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
  crp_expect_waits(&frame);
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
  crp_expect_waits(&frame);
  CRP_REAL(swift_job_run_on_serial_and_task_executor)(job, serial_identity, serial_implementation, task_identity,
                                                      task_implementation);
  crp_job_ends(&frame);
  crp_job_returned(job);
}

#endif

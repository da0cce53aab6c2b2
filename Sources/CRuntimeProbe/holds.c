// Waits, holds and depths of actors; see crp_hold_set for what is kept.
//
// Arrival: a switch onto the actor. Wait: from there to the resumption; a fast switch waits 0. Hold: from the
// resumption to the next switch away, a continuation's await, or the end of the job. Whether an actor is busy on
// arrival is read from its own state word (default actors) or known from the holds that are open (other executors).
//
// Every hold after a slow arrival is timed; of those after a fast one, one in CRP_HOLD_STRIDE on average and later
// fewer, drawn for each thread and actor type. Holds that the watcher sees are all timed, see hold_watch.c.
// A sampled hold that turns out long therefore counts for itself alone and not for CRP_HOLD_STRIDE.

#include "internal.h"

#if CRP_SUPPORTED

enum { INSTANCE_BUCKETS = 1 << 14, INSTANCE_PROBES = 8 };

static crp_instance instances[INSTANCE_BUCKETS];

static void time_lost(void) { __atomic_fetch_add(&crp_header()->times_lost, 1, __ATOMIC_RELAXED); }

// MARK: Histograms

static void put(uint64_t *field, uint64_t value) { __atomic_store_n(field, value, __ATOMIC_RELAXED); }

static uint32_t bucket_of(uint64_t value) {
  if (value < (2u << CRP_BUCKET_BITS)) return (uint32_t)value;
  uint32_t exponent = 63 - (uint32_t)__builtin_clzll(value) - CRP_BUCKET_BITS;
  return (exponent << CRP_BUCKET_BITS) + (uint32_t)(value >> exponent);
}

static void record(uint64_t *exact, uint32_t *buckets, uint32_t bucket_count, uint64_t value, uint32_t weight) {
  uint32_t bucket = bucket_of(value);
  if (bucket >= bucket_count) bucket = bucket_count - 1;
  if (exact[0] == 0 || value < exact[2]) put(&exact[2], value);
  if (value > exact[3]) put(&exact[3], value);
  put(&exact[1], exact[1] + value * weight);
  __atomic_store_n(&buckets[bucket], buckets[bucket] + weight, __ATOMIC_RELAXED);
  put(&exact[0], exact[0] + weight);
}

static void record_time(crp_time_histogram *histogram, uint64_t ticks, uint32_t weight) {
  record(&histogram->count, histogram->buckets, CRP_TIME_BUCKETS, crp_nanoseconds(ticks), weight);
}

static crp_hold_set *set_of(crp_thread *thread, uint32_t slot) {
  uint16_t index = thread->sets[slot];
  if (CRP_LIKELY(index != 0 && index != UINT16_MAX)) return crp_hold_set_at(index - 1u);
  if (index == UINT16_MAX) return NULL;
  uint64_t next = __atomic_fetch_add(&crp_header()->sets_used, 1, __ATOMIC_RELAXED);
  if (next >= CRP_SET_CAPACITY) {
    thread->sets[slot] = UINT16_MAX;
    return NULL;
  }
  crp_hold_set *set = crp_hold_set_at((uint32_t)next);
  set->slot = slot;
  set->block = (uint32_t)(thread - crp_threads);
  thread->sets[slot] = (uint16_t)(next + 1);
  return set;
}

// MARK: Instances

static crp_instance *instance_of(uintptr_t identity, uint32_t slot) {
  uint32_t bucket = (uint32_t)((identity >> 4) * 0x9E3779B97F4A7C15u >> 40) % INSTANCE_BUCKETS;
  for (uint32_t probes = 0; probes < INSTANCE_PROBES; probes++, bucket = (bucket + 1) % INSTANCE_BUCKETS) {
    crp_instance *instance = &instances[bucket];
    uintptr_t found = __atomic_load_n(&instance->identity, __ATOMIC_ACQUIRE);
    if (found == 0
        && __atomic_compare_exchange_n(&instance->identity, &found, identity, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE)) {
      found = identity;
    }
    if (found != identity) continue;
    // Of another type than before: another actor at the same address.
    __atomic_store_n(&instance->slot, slot, __ATOMIC_RELAXED);
    return instance;
  }
  time_lost();
  return NULL;
}

size_t crp_instances(crp_instance_times *out, size_t capacity) {
  size_t count = 0;
  for (uint32_t i = 0; i < INSTANCE_BUCKETS; i++) {
    crp_instance *instance = &instances[i];
    if (__atomic_load_n(&instance->identity, __ATOMIC_RELAXED) == 0) continue;
    if (count < capacity) {
      out[count] = (crp_instance_times){.identity = instance->identity,
                                        .slot = instance->slot,
                                        .arrivals = __atomic_load_n(&instance->arrivals, __ATOMIC_RELAXED),
                                        .held = __atomic_load_n(&instance->held, __ATOMIC_RELAXED)};
    }
    count++;
  }
  return count;
}

// MARK: Arrival

// A hold of a lower priority that a task of high priority has to wait for: its end is of interest. Which thread
// holds the actor is looked for among all, at most one of 256.
static void ask_for_end(const crp_thread *thread, const crp_switch_frame *frame, uint32_t priority) {
  uint64_t used = __atomic_load_n(&crp_header()->blocks_used, __ATOMIC_RELAXED);
  for (uint64_t i = 0; i < used; i++) {
    crp_thread *other = &crp_threads[i];
    if (other == thread || !__atomic_load_n(&other->hold.is_open, __ATOMIC_RELAXED)
        || __atomic_load_n(&other->hold.identity, __ATOMIC_RELAXED) != frame->identity) {
      continue;
    }
    uint64_t sequence = __atomic_load_n(&other->hold_sequence, __ATOMIC_RELAXED);
    if (__atomic_load_n(&other->waiter_sequence, __ATOMIC_RELAXED) == sequence) return;
    put(&other->waiter_start, frame->arrival);
    put(&other->waiter_priority, priority);
    put(&other->waiter_sequence, sequence);
    put(&other->attention, sequence);
    return;
  }
}

enum { HIGH_PRIORITY = 0x19 };

// The task may have to wait. Before the runtime's own switch.
__attribute__((noinline)) void crp_note_arrival(crp_thread *thread, crp_switch_frame *frame, uintptr_t implementation,
                                                bool is_busy) {
  frame->arrival = crp_ticks();
  crp_instance *instance = instance_of(frame->identity, frame->slot);
  frame->instance = instance;
  if (instance == NULL) {
    frame->depth = is_busy;
    return;
  }
  uint32_t waiting = __atomic_fetch_add(&instance->waiting, 1, __ATOMIC_RELAXED);
  uint32_t running;
  if (implementation == 0) {
    uint32_t state = __atomic_load_n((const uint32_t *)(frame->identity + CRP_ACTOR_STATE), __ATOMIC_RELAXED);
    running = (state & CRP_ACTOR_STATE_MASK) == CRP_ACTOR_RUNNING;
  } else {
    running = __atomic_load_n(&instance->running, __ATOMIC_RELAXED);
  }
  frame->depth = waiting + running;
  // It is busy with somebody who did not come by a switch.
  if (is_busy && frame->depth == 0) frame->depth = 1;
  if (frame->depth == 0) return;
  void *task = swift_task_getCurrent();
  uint32_t priority = task != NULL ? crp_task_priority(task) : 0;
  if (CRP_UNLIKELY(priority >= HIGH_PRIORITY)) ask_for_end(thread, frame, priority);
}

// The task that crp_note_arrival saw, or that was not fast, runs on the actor.
__attribute__((noinline)) void crp_note_resumption(crp_thread *thread, crp_switch_frame *frame, bool is_fast) {
  crp_instance *instance = frame->instance;
  crp_hold_set *set = set_of(thread, frame->slot);
  if (instance != NULL) __atomic_fetch_sub(&instance->waiting, 1, __ATOMIC_RELAXED);
  if (set == NULL) {
    time_lost();
    return;
  }
  // Between the look at the actor and the runtime's, its holder left it.
  if (is_fast) return;
  if (frame->arrival == 0) {
    // It looked free and the current executor as one that can be left: somebody was faster, or the task prefers an
    // executor of its own. If it is the latter there will be more of them.
    crp_add(&set->waits_unseen);
    uint32_t window = thread->notes_window;
    thread->notes_window = window == 0 ? 32 : window < (1u << 16) ? window * 2 : window;
    thread->notes_left = thread->notes_window;
    return;
  }
  uint64_t wait = crp_ticks() - frame->arrival;
  record_time(&set->wait, wait, 1);
  if (frame->depth > 0) {
    crp_add(&set->contended);
    record(&set->depth.count, set->depth.buckets, CRP_DEPTH_BUCKETS, frame->depth, 1);
  }
  if (instance != NULL) __atomic_fetch_add(&instance->arrivals, 1, __ATOMIC_RELAXED);
}

// MARK: Holds

static void draw_next_sample(crp_thread *thread, crp_actor_counters *actor, uint32_t slot) {
  uint32_t x = thread->sample_state;
  if (x == 0) x = 0x9E3779B9u * ((uint32_t)(thread - crp_threads) + 1);
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  thread->sample_state = x;
  const crp_hold_set *set = set_of(thread, slot);
  actor->sample_weight = set != NULL && set->hold_fast.count < CRP_DENSE_SAMPLES ? 1 : CRP_SPARSE_WEIGHT;
  // 1 … 2 × stride − 1: the stride on average, and in step with nothing.
  actor->until_sample = 1 + x % (2 * CRP_HOLD_STRIDE * actor->sample_weight - 1);
}

__attribute__((noinline)) bool crp_is_sampled(crp_thread *thread, uint32_t slot) {
  crp_actor_counters *actor = &thread->block->actors[slot];
  if (actor->until_sample == 0) draw_next_sample(thread, actor, slot);
  if (--actor->until_sample != 0) return false;
  thread->hold.weight = actor->sample_weight;
  draw_next_sample(thread, actor, slot);
  return true;
}

__attribute__((noinline)) void crp_begin_timed_hold(crp_thread *thread, crp_switch_frame *frame, bool is_fast) {
  crp_hold *hold = &thread->hold;
  hold->task = swift_task_getCurrent();
  hold->instance = NULL;
  if (is_fast) {
    hold->kind = CRP_HOLD_SAMPLED;
    // A fast switch leads to default actors alone: here its state word must say that it runs.
    uint32_t state = __atomic_load_n((const uint32_t *)(frame->identity + CRP_ACTOR_STATE), __ATOMIC_RELAXED);
    if ((state & CRP_ACTOR_STATE_MASK) != CRP_ACTOR_RUNNING) {
      __atomic_fetch_add(&crp_header()->state_mismatches, 1, __ATOMIC_RELAXED);
    }
  } else {
    hold->kind = CRP_HOLD_TIMED;
    hold->instance = frame->instance;
    if (hold->instance != NULL) __atomic_fetch_add(&hold->instance->running, 1, __ATOMIC_RELAXED);
  }
  hold->suspended_at = 0;
  hold->start = crp_ticks();
}

// A hold is still open and another begins: the holder suspended where nobody saw it. Inside one job the actor
// passed from one to the other without a pause; else when it ended is not known.
__attribute__((noinline)) void crp_close_hold_before(crp_thread *thread) {
  crp_hold *hold = &thread->hold;
  if (hold->kind == CRP_HOLD_UNTIMED) return;
  if (hold->kind != CRP_HOLD_PROVISIONAL && (thread->job_depth > 0 || hold->suspended_at != 0)) {
    crp_end_hold_slow(thread, false);
    return;
  }
  if (hold->instance != NULL) __atomic_fetch_sub(&hold->instance->running, 1, __ATOMIC_RELAXED);
  if (hold->kind != CRP_HOLD_PROVISIONAL) crp_unseen_hold(thread, hold->slot);
}

// A hold whose start was not a switch: the task resumed here after a suspension, or its job began here.
__attribute__((noinline)) void crp_continue_hold(crp_thread *thread, crp_executor executor, uint32_t slot,
                                                 crp_hold_kind kind) {
  crp_hold *hold = &thread->hold;
  hold->task = kind == CRP_HOLD_PROVISIONAL ? NULL : swift_task_getCurrent();
  hold->kind = kind;
  hold->slot = slot;
  hold->suspended_at = 0;
  hold->instance = instance_of(executor.identity, slot);
  if (hold->instance != NULL) __atomic_fetch_add(&hold->instance->running, 1, __ATOMIC_RELAXED);
  put(&hold->identity, executor.identity);
  put(&thread->hold_sequence, thread->hold_sequence + 1);
  hold->start = crp_ticks();
  put(&hold->is_open, 1);
}

// A provisional hold belongs to the job's task, which is known by now.
__attribute__((noinline)) void crp_note_await(crp_thread *thread) {
  crp_hold *hold = &thread->hold;
  const void *task = swift_task_getCurrent();
  if (hold->task == NULL) hold->task = task;
  if (hold->task == task) hold->suspended_at = crp_ticks();
}

__attribute__((noinline)) void crp_unseen_hold(crp_thread *thread, uint32_t slot) {
  crp_hold_set *set = set_of(thread, slot);
  if (set != NULL) crp_add(&set->holds_unseen);
}

// At a job's end the holder is gone; its priority was kept if it was the job.
static void record_inversion(crp_thread *thread, crp_hold_set *set, uint64_t now, bool is_holder) {
  const void *task = is_holder ? swift_task_getCurrent() : NULL;
  uint32_t priority = task != NULL ? crp_task_priority(task) : thread->job_priority;
  if (priority >= __atomic_load_n(&thread->waiter_priority, __ATOMIC_RELAXED)) return;
  uint64_t blocked = crp_nanoseconds(now - __atomic_load_n(&thread->waiter_start, __ATOMIC_RELAXED));
  crp_add(&set->inversions);
  put(&set->inversion_ns, set->inversion_ns + blocked);
  if (blocked > set->inversion_max) put(&set->inversion_max, blocked);
  crp_note_inversion(thread, blocked, priority);
}

__attribute__((noinline)) void crp_end_hold_slow(crp_thread *thread, bool by_task) {
  crp_hold *hold = &thread->hold;
  uint64_t now = crp_ticks();
  if (hold->instance != NULL) __atomic_fetch_sub(&hold->instance->running, 1, __ATOMIC_RELAXED);
  crp_hold_set *set = set_of(thread, hold->slot);
  if (set == NULL) {
    time_lost();
    return;
  }
  // Of a hold that nobody timed, the task and the suspension that stand here are those of one before.
  bool is_untimed = hold->kind == CRP_HOLD_UNTIMED;
  bool is_holder = by_task && (is_untimed || hold->task == NULL || hold->task == swift_task_getCurrent());
  if (!is_holder && !is_untimed && hold->suspended_at != 0) {
    now = hold->suspended_at;
  } else if (by_task && !is_holder) {
    // The holder left unseen and another task runs here by now.
    crp_add(&set->holds_unseen);
    return;
  }
  if (__atomic_load_n(&thread->waiter_sequence, __ATOMIC_ACQUIRE) == thread->hold_sequence) {
    record_inversion(thread, set, now, is_holder);
  }
  uint64_t start = hold->start;
  bool was_watched = __atomic_load_n(&thread->watch_sequence, __ATOMIC_ACQUIRE) == thread->hold_sequence;
  if (hold->kind == CRP_HOLD_UNTIMED) {
    if (!was_watched) return;
    start = __atomic_load_n(&thread->watch_start, __ATOMIC_RELAXED);
  } else if (hold->kind == CRP_HOLD_SAMPLED && !was_watched) {
    record_time(&set->hold_fast, now - start, hold->weight);
    return;
  }
  record_time(&set->hold, now - start, 1);
  if (hold->instance != NULL) {
    __atomic_fetch_add(&hold->instance->held, crp_nanoseconds(now - start), __ATOMIC_RELAXED);
  }
}

// MARK: Jobs

void crp_job_begins(crp_job_frame *frame, crp_executor executor, const void *task) {
  frame->is_repeated = CRP_UNLIKELY(crp_is_tracing) && crp_trace_job_begins(executor, task);
  frame->is_noted = __atomic_load_n(&crp_mode_in_force, __ATOMIC_RELAXED) == CRP_MODE_CLASSIFYING;
  if (!frame->is_noted) return;
  crp_thread *thread = crp_thread_state();
  thread->job++;
  thread->job_depth++;
  frame->outer = thread->hold;
  frame->outer_priority = thread->job_priority;
  frame->outer_notes = thread->notes_left;
  thread->job_priority = task != NULL ? crp_task_priority(task) : UNKNOWN_PRIORITY;
  __atomic_store_n(&thread->hold.is_open, 0, __ATOMIC_RELAXED);
  if (executor.identity != 0 && !thread->is_shared) {
    crp_continue_hold(thread, executor, crp_slot_of(thread, executor), CRP_HOLD_PROVISIONAL);
  }
}

void crp_expect_waits(crp_job_frame *frame) {
  if (frame->is_noted) crp_thread_state()->notes_left = UINT32_MAX;
}

void crp_job_ends(crp_job_frame *frame) {
  if (CRP_UNLIKELY(crp_is_tracing)) crp_trace_job_ends(frame->is_repeated);
  if (!frame->is_noted) return;
  crp_thread *thread = crp_thread_state();
  crp_end_hold(thread, false);
  thread->job++;
  if (thread->job_depth > 0) thread->job_depth--;
  thread->job_priority = frame->outer_priority;
  if (thread->notes_left > UINT32_MAX / 2) thread->notes_left = frame->outer_notes;
  if (frame->outer.is_open) {
    // The sequence may not go back: a hold that goes on is given a new number.
    thread->hold = frame->outer;
    put(&thread->hold_sequence, thread->hold_sequence + 1);
  }
}

#else

size_t crp_instances(crp_instance_times *out, size_t capacity) { return (void)out, (void)capacity, 0; }

#endif

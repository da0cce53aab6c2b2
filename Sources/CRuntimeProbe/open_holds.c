// Holds that have not ended: what the distributions of holds do not have yet. For recordings, which end, and whose
// windows close, while an actor may be held.
//
// A look compares what each thread holds with what it held at the look before. A hold that nobody timed at its
// beginning counts from the first look that saw it, also when it ends later, as one that hold_watch.c sees. One outside
// of a job that is seen does not count: it may have ended unseen, when its task suspended inside the runtime.

#include "internal.h"

#if CRP_SUPPORTED

typedef struct {
  uint64_t sequence;
  uint64_t first_seen;
} known_hold;

static known_hold known[CRP_BLOCK_CAPACITY];

// What the thread holds, if it was not another hold at the end of reading than at the beginning.
static bool read_hold(const crp_thread *thread, crp_hold *hold, uint64_t *sequence) {
  *sequence = __atomic_load_n(&thread->hold_sequence, __ATOMIC_ACQUIRE);
  *hold = thread->hold;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return hold->is_open && !thread->is_shared && __atomic_load_n(&thread->hold.is_open, __ATOMIC_RELAXED)
         && __atomic_load_n(&thread->hold_sequence, __ATOMIC_RELAXED) == *sequence;
}

// Its end is timed, and it counts for itself alone.
static void expect_end(crp_thread *thread, const known_hold *hold) {
  if (__atomic_load_n(&thread->watch_sequence, __ATOMIC_RELAXED) == hold->sequence) return;
  __atomic_store_n(&thread->watch_start, hold->first_seen, __ATOMIC_RELAXED);
  __atomic_store_n(&thread->watch_sequence, hold->sequence, __ATOMIC_RELEASE);
  __atomic_store_n(&thread->attention, hold->sequence, __ATOMIC_RELEASE);
}

static bool look_at(crp_thread *thread, known_hold *before, uint64_t now, crp_open_hold *out) {
  crp_hold hold;
  uint64_t sequence;
  if (!__atomic_load_n(&thread->in_use, __ATOMIC_ACQUIRE) || !read_hold(thread, &hold, &sequence)) return false;
  bool is_new = before->sequence != sequence || before->first_seen == 0;
  if (is_new) *before = (known_hold){sequence, now};
  bool is_timed = hold.kind != CRP_HOLD_UNTIMED;
  uint64_t start = is_timed ? hold.start : before->first_seen, end = now;
  if (is_timed && hold.suspended_at != 0) {
    // Its end is known and not entered yet.
    end = hold.suspended_at;
  } else if (__atomic_load_n(&thread->job_depth, __ATOMIC_RELAXED) == 0) {
    return false;
  } else if (!is_new) {
    expect_end(thread, before);
  }
  if (end <= start) return false;
  *out = (crp_open_hold){.slot = hold.slot, .identity = hold.identity, .start = start, .end = end};
  return true;
}

// Only one task holds an actor: the last that came. What is open before it on another thread ended unseen.
static size_t add(crp_open_hold *out, size_t count, size_t capacity, const crp_open_hold *hold) {
  for (size_t i = 0; i < count; i++) {
    if (out[i].identity != hold->identity) continue;
    if (hold->start > out[i].start) out[i] = *hold;
    return count;
  }
  if (count < capacity) out[count++] = *hold;
  return count;
}

size_t crp_look_at_open_holds(crp_open_hold *out, size_t capacity) {
  if (crp_mapped_base() == NULL) return 0;
  size_t count = 0;
  uint64_t used = __atomic_load_n(&crp_header()->blocks_used, __ATOMIC_ACQUIRE), now = crp_ticks();
  for (uint64_t i = 0; i < used && i < CRP_BLOCK_CAPACITY; i++) {
    crp_open_hold hold;
    if (look_at(&crp_threads[i], &known[i], now, &hold)) count = add(out, count, capacity, &hold);
  }
  for (size_t i = 0; i < count; i++) {
    out[i].lasted = crp_nanoseconds(out[i].end - out[i].start);
    out[i].ended_before = crp_nanoseconds(now - out[i].end);
  }
  return count;
}

#else

size_t crp_look_at_open_holds(crp_open_hold *out, size_t capacity) { return (void)out, (void)capacity, 0; }

#endif

// When tasks end that were cancelled or are followed, and when a task was last seen to run.
//
// Both need the moment at which a job returns: the task that it began with has then suspended, moved or ended. Only
// its address is used; what the ledger still holds under it has not lost its memory.

#define _GNU_SOURCE
#include <time.h>

#include "internal.h"

int64_t crp_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_BOOTTIME, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// MARK: Ends

enum { RING = 1 << 16 };

static crp_task_end ring[RING];
static uint32_t ring_lock;
static uint64_t ring_taken;
static uint64_t ring_added;
static uint64_t ring_lost;

size_t crp_take_task_ends(crp_task_end *out, size_t capacity, uint64_t *lost) {
  size_t count = 0;
  crp_lock(&ring_lock);
  while (count < capacity && ring_taken < ring_added) out[count++] = ring[ring_taken++ % RING];
  *lost = ring_lost;
  crp_unlock(&ring_lock);
  return count;
}

#if CRP_SUPPORTED

static void keep(crp_task_end end) {
  crp_lock(&ring_lock);
  if (ring_added - ring_taken < RING) {
    ring[ring_added++ % RING] = end;
  } else {
    ring_lost++;
  }
  crp_unlock(&ring_lock);
}

// Tasks whose end is to be kept.
static uint64_t awaited;

static bool is_awaited(const crp_ledger_entry *entry) {
  return entry->cancelled_at != 0 || entry->marks & CRP_MARK_FOLLOWED;
}

static bool is_over(const crp_ledger_entry *entry) {
  return entry->marks & CRP_MARK_FINISHING
         || crp_task_word((const void *)entry->key, CRP_TASK_STATUS) & CRP_STATUS_COMPLETE;
}

static void set_cancelled(crp_ledger_entry *entry, void *state) {
  if (entry->cancelled_at != 0 || is_over(entry) || entry->kind == CRP_TASK_ADOPTED) return;
  if (!is_awaited(entry)) __atomic_fetch_add(&awaited, 1, __ATOMIC_RELAXED);
  entry->cancelled_at = *(const int64_t *)state;
}

void crp_note_cancel(const void *task) {
  int64_t now = crp_now();
  crp_ledger_visit((uint64_t)task, set_cancelled, &now);
}

typedef struct {
  uint64_t id;
  bool found;
} follow_visit;

static void set_followed(crp_ledger_entry *entry, void *state) {
  follow_visit *visit = state;
  if (entry->id != visit->id || entry->kind == CRP_TASK_ADOPTED || is_over(entry)) return;
  if (!is_awaited(entry)) __atomic_fetch_add(&awaited, 1, __ATOMIC_RELAXED);
  entry->marks |= CRP_MARK_FOLLOWED;
  visit->found = true;
}

bool crp_follow_task(uint64_t address, uint64_t id) {
  follow_visit visit = {id, false};
  crp_ledger_visit(address, set_followed, &visit);
  return visit.found;
}

// The task is complete or gone. Its shard's lock is held, or nobody else has the entry.
void crp_note_end(crp_ledger_entry *entry) {
  if (!is_awaited(entry) || entry->marks & CRP_MARK_END_NOTED) return;
  entry->marks |= CRP_MARK_END_NOTED;
  __atomic_fetch_sub(&awaited, 1, __ATOMIC_RELAXED);
  int64_t now = crp_now();
  keep((crp_task_end){.id = entry->id,
                      .iteration = entry->birth_iteration,
                      .ended_at = now,
                      .cancel_delay = entry->cancelled_at == 0 ? -1 : now - entry->cancelled_at});
}

// MARK: Jobs

static void returned(crp_ledger_entry *entry, void *state) {
  entry->last_ran = *(const int64_t *)state;
  if (is_awaited(entry) && !(entry->marks & CRP_MARK_FINISHING) && is_over(entry)) crp_note_end(entry);
}

void crp_job_returned(const void *job) {
  crp_mode mode = crp_current_mode();
  bool some = __atomic_load_n(&awaited, __ATOMIC_RELAXED) != 0;
  if (CRP_LIKELY(mode != CRP_MODE_CLASSIFYING && !some)) return;
  int64_t now = mode == CRP_MODE_CLASSIFYING ? crp_now() : 0;
  crp_ledger_visit((uint64_t)job, returned, &now);
}

#else

bool crp_follow_task(uint64_t address, uint64_t id) { return (void)address, (void)id, false; }

#endif

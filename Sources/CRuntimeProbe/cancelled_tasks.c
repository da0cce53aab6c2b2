// From a cancel to the task's end, and when a task was last seen to run.
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

// MARK: Ends after a cancel

enum { RING = 1 << 16 };

static crp_cancelled_task ring[RING];
static uint32_t ring_lock;
static uint64_t ring_taken;
static uint64_t ring_added;
static uint64_t ring_lost;

static void add(crp_cancelled_task event) {
  crp_lock(&ring_lock);
  if (ring_added - ring_taken < RING) {
    ring[ring_added++ % RING] = event;
  } else {
    ring_lost++;
  }
  crp_unlock(&ring_lock);
}

size_t crp_take_cancelled(crp_cancelled_task *out, size_t capacity, uint64_t *lost) {
  size_t count = 0;
  crp_lock(&ring_lock);
  while (count < capacity && ring_taken < ring_added) out[count++] = ring[ring_taken++ % RING];
  *lost = ring_lost;
  crp_unlock(&ring_lock);
  return count;
}

#if CRP_SUPPORTED

// Tasks that were cancelled and whose end has not been entered.
static uint64_t pending;

static void set_cancelled(crp_ledger_entry *entry, void *state) {
  bool over = entry->marks & CRP_MARK_FINISHING
              || crp_task_word((const void *)entry->key, CRP_TASK_STATUS) & CRP_STATUS_COMPLETE;
  if (entry->cancelled_at != 0 || over || entry->kind == CRP_TASK_ADOPTED) return;
  entry->cancelled_at = *(const int64_t *)state;
  __atomic_fetch_add(&pending, 1, __ATOMIC_RELAXED);
}

void crp_note_cancel(const void *task) {
  int64_t now = crp_now();
  crp_ledger_visit((uint64_t)task, set_cancelled, &now);
}

// The task is complete or gone. Its shard's lock is held, or nobody else has the entry.
void crp_note_end(crp_ledger_entry *entry) {
  if (entry->cancelled_at == 0 || entry->marks & CRP_MARK_END_NOTED) return;
  entry->marks |= CRP_MARK_END_NOTED;
  __atomic_fetch_sub(&pending, 1, __ATOMIC_RELAXED);
  add((crp_cancelled_task){entry->birth_iteration, crp_now() - entry->cancelled_at});
}

// MARK: Jobs

static void returned(crp_ledger_entry *entry, void *state) {
  entry->last_ran = *(const int64_t *)state;
  if (entry->cancelled_at == 0 || entry->marks & CRP_MARK_FINISHING) return;
  if (crp_task_word((const void *)entry->key, CRP_TASK_STATUS) & CRP_STATUS_COMPLETE) crp_note_end(entry);
}

void crp_job_returned(const void *job) {
  crp_mode mode = crp_current_mode();
  bool cancelled = __atomic_load_n(&pending, __ATOMIC_RELAXED) != 0;
  if (CRP_LIKELY(mode != CRP_MODE_CLASSIFYING && !cancelled)) return;
  int64_t now = mode == CRP_MODE_CLASSIFYING ? crp_now() : 0;
  crp_ledger_visit((uint64_t)job, returned, &now);
}

#endif

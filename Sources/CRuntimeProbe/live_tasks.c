// What the ledger holds at one moment, and what state it is in.

#include "internal.h"

#if CRP_SUPPORTED

typedef struct {
  crp_live_task *out;
  size_t capacity;
  size_t count;
  uint64_t complete;
} live_visit;

static void visit_live(const crp_ledger_entry *entry, void *state) {
  live_visit *visit = state;
  if (entry->key % 2 != 0) return;
  // The shard's lock is held, and the task leaves its shard before its memory goes: it can be read.
  const void *task = (const void *)entry->key;
  uint32_t status = entry->finishing ? CRP_STATUS_CANCELLED : crp_task_word(task, CRP_TASK_STATUS);
  if (status & CRP_STATUS_COMPLETE && entry->kind != CRP_TASK_ADOPTED) visit->complete++;
  size_t index = visit->count++;
  if (index >= visit->capacity) return;
  crp_live_task *live = &visit->out[index];
  live->id = entry->id;
  live->parent_id = entry->parent_id;
  live->iteration = entry->iteration;
  live->kind = entry->kind;
  live->is_cancelled = (status & CRP_STATUS_CANCELLED) != 0;
  live->is_running = (status & CRP_STATUS_RUNNING) != 0;
  live->is_enqueued = (status & CRP_STATUS_ENQUEUED) != 0;
  live->is_complete = (status & CRP_STATUS_COMPLETE) != 0;
  live->address_count = entry->address_count;
  for (uint32_t i = 0; i < CRP_CREATION_ADDRESSES; i++) live->addresses[i] = entry->addresses[i];
}

size_t crp_live_tasks(crp_live_task *out, size_t capacity) {
  live_visit visit = {out, capacity, 0, 0};
  crp_ledger_each(visit_live, &visit);
  return visit.count;
}

uint64_t crp_update_retained(void) {
  live_visit visit = {NULL, 0, 0, 0};
  crp_ledger_each(visit_live, &visit);
  if (crp_mapped_base() != NULL) {
    __atomic_store_n(&crp_header()->tasks_retained, visit.complete, __ATOMIC_RELAXED);
  }
  return visit.complete;
}

#else

size_t crp_live_tasks(crp_live_task *out, size_t capacity) { return (void)out, (void)capacity, 0; }
uint64_t crp_update_retained(void) { return 0; }

#endif

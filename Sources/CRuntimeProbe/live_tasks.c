// What the ledger holds at one moment, and what state it is in.

#include "internal.h"

#if CRP_SUPPORTED

typedef struct {
  crp_live_task *out;
  size_t capacity;
  size_t count;
  uint64_t complete;
  int64_t now;  // 0 unless classifying
} live_visit;

// Until its first run a task resumes in a function of the runtime's that no task resumes in later.
static bool has_started(const crp_ledger_entry *entry, uint32_t status) {
  if (status & (CRP_STATUS_RUNNING | CRP_STATUS_COMPLETE) || entry->kind == CRP_TASK_ADOPTED) return true;
  if (entry->marks & CRP_MARK_FINISHING) return true;
  const uint64_t *resume = (const uint64_t *)(entry->key + CRP_TASK_RESUME);
  return !crp_is_first_function(__atomic_load_n(resume, __ATOMIC_ACQUIRE));
}

static void visit_live(crp_ledger_entry *entry, void *state) {
  live_visit *visit = state;
  if (entry->key % 2 != 0) return;
  // The shard's lock is held, and the task leaves its shard before its memory goes: it can be read.
  const void *task = (const void *)entry->key;
  bool finishing = entry->marks & CRP_MARK_FINISHING;
  uint32_t status = finishing ? CRP_STATUS_CANCELLED : crp_task_word(task, CRP_TASK_STATUS);
  if (status & CRP_STATUS_COMPLETE && entry->kind != CRP_TASK_ADOPTED) {
    visit->complete++;
    crp_note_end(entry);
  }
  if (visit->now != 0 && status & CRP_STATUS_RUNNING) entry->last_ran = visit->now;
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
  live->has_started = has_started(entry, status);
  live->priority = entry->priority;
  live->address_count = entry->address_count;
  for (uint32_t i = 0; i < CRP_CREATION_ADDRESSES; i++) live->addresses[i] = crp_unpack(entry->addresses[i]);
  live->cancelled_at = entry->cancelled_at;
  live->last_ran = entry->last_ran;
  live->address = entry->key;
  for (uint32_t i = 0; i < CRP_TASK_NAME_SIZE; i++) live->name[i] = entry->name[i];
  live->name[CRP_TASK_NAME_SIZE] = 0;
}

size_t crp_live_tasks(crp_live_task *out, size_t capacity) {
  live_visit visit = {.out = out, .capacity = capacity};
  if (crp_current_mode() == CRP_MODE_CLASSIFYING) visit.now = crp_now();
  crp_ledger_each(visit_live, &visit);
  return visit.count;
}

uint64_t crp_update_retained(void) {
  live_visit visit = {0};
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

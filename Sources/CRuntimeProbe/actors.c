// From an executor to its slot in the actor table.

#define _GNU_SOURCE
#include <string.h>

#include "internal.h"

#if CRP_SUPPORTED

enum { TYPE_BUCKETS = 2048, OVERFLOW_SLOT = CRP_ACTOR_CAPACITY - 1, FIRST_SLOT = 1 };

typedef struct {
  const char *text;
  size_t length;
} runtime_name;

CRP_SWIFT runtime_name swift_getTypeName(const void *type, bool qualified);

uintptr_t crp_main_identity;

static uint32_t table_lock;
static uint32_t slots_used = FIRST_SLOT;
static struct {
  uintptr_t type;
  uint32_t slot;
} types[TYPE_BUCKETS];

// Copies without "(unknown context at $…)." — the address changes from run to run — and without a cut character.
static void copy_name(char *target, size_t capacity, runtime_name name) {
  static const char mark[] = "(unknown context at $";
  size_t used = 0;
  for (size_t i = 0; i < name.length && used + 1 < capacity;) {
    if (name.length - i > sizeof mark && memcmp(name.text + i, mark, sizeof mark - 1) == 0) {
      while (i < name.length && name.text[i] != ')') i++;
      i += i + 1 < name.length && name.text[i + 1] == '.' ? 2 : 1;
      continue;
    }
    target[used++] = name.text[i++];
  }
  while (used + 1 == capacity && used > 0 && ((unsigned char)target[used - 1] & 0xC0) == 0x80) used--;
  target[used] = 0;
}

static uint32_t new_slot(uintptr_t type) {
  if (slots_used == OVERFLOW_SLOT) return OVERFLOW_SLOT;
  crp_actor_entry *entry = &crp_actor_entries()[slots_used];
  copy_name(entry->name, sizeof entry->name, swift_getTypeName((const void *)type, false));
  copy_name(entry->qualified_name, sizeof entry->qualified_name, swift_getTypeName((const void *)type, true));
  __atomic_store_n(&entry->state, 1, __ATOMIC_RELEASE);
  return slots_used++;
}

static uint32_t slot_of_type(uintptr_t type) {
  uint32_t bucket = (uint32_t)((type >> 4) * 0x9E3779B1u) % TYPE_BUCKETS;
  for (uint32_t probes = 0; probes < TYPE_BUCKETS / 2; probes++, bucket = (bucket + 1) % TYPE_BUCKETS) {
    if (types[bucket].type == type) return types[bucket].slot;
    if (types[bucket].type == 0) {
      types[bucket].slot = new_slot(type);
      types[bucket].type = type;
      return types[bucket].slot;
    }
  }
  return OVERFLOW_SLOT;
}

// The first sight of a type by this thread: once for each, so a lock does no harm here. The main executor is told
// by its identity; its type may serve other executors as well.
__attribute__((noinline)) uint32_t crp_actor_slot_slow(crp_thread *thread, crp_executor executor, uintptr_t type) {
  if (__atomic_load_n(&crp_main_identity, __ATOMIC_RELAXED) == 0
      && swift_task_isMainExecutor(executor.identity, executor.implementation)) {
    __atomic_store_n(&crp_main_identity, executor.identity, __ATOMIC_RELAXED);
    return 0;
  }
  crp_lock(&table_lock);
  uint32_t slot = slot_of_type(type);
  crp_unlock(&table_lock);
  if (slot == OVERFLOW_SLOT) crp_event_lost();
  uint32_t index = crp_cache_index(type);
  thread->cache[index].type = type;
  thread->cache[index].slot = slot;
  return slot;
}

void crp_set_main_executor_identity(const void *identity) {
  __atomic_store_n(&crp_main_identity, (uintptr_t)identity, __ATOMIC_RELAXED);
}

#else

void crp_set_main_executor_identity(const void *identity) { (void)identity; }

#endif

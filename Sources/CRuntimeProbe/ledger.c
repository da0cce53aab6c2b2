// The task ledger: a hash table of tasks alive, in shards, on memory mapped for it alone.
//
// Entries lie in chunks that are never moved or given back; a shard's free entries form a list. Nothing is
// allocated for a task, nothing grows with tasks that have ended.

#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "internal.h"

enum { SHARD_COUNT = 64, CHUNK_ENTRIES = 512, CHUNK_LIMIT = 8192, FIRST_BUCKETS = 1024 };

typedef struct {
  uint32_t lock;
  uint32_t free_head;  // index + 1; 0: none
  uint32_t bucket_count;
  uint32_t chunk_count;
  uint64_t count;
  uint64_t adopted;  // entries of that kind
  uint32_t *buckets;  // index + 1 of the first entry
  crp_ledger_entry *chunks[CHUNK_LIMIT];
} __attribute__((aligned(64))) shard;

static shard shards[SHARD_COUNT];

static uint64_t mixed(uint64_t key) {
  key ^= key >> 32;
  key *= 0x9E3779B97F4A7C15u;
  return key ^ (key >> 29);
}

static shard *shard_of(uint64_t key) { return &shards[mixed(key) % SHARD_COUNT]; }
static uint32_t bucket_of(const shard *s, uint64_t key) {
  return (uint32_t)(mixed(key) / SHARD_COUNT) & (s->bucket_count - 1);
}
static crp_ledger_entry *entry_at(const shard *s, uint32_t number) {
  uint32_t index = number - 1;
  return &s->chunks[index / CHUNK_ENTRIES][index % CHUNK_ENTRIES];
}

static void *map_pages(size_t size) {
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

static void grow_buckets(shard *s) {
  uint32_t old_count = s->bucket_count;
  uint32_t count = old_count == 0 ? FIRST_BUCKETS : old_count * 2;
  uint32_t *buckets = map_pages(count * sizeof(uint32_t));
  if (buckets == NULL) return;
  uint32_t *old = s->buckets;
  s->buckets = buckets;
  s->bucket_count = count;
  for (uint32_t i = 0; i < old_count; i++) {
    for (uint32_t number = old[i]; number != 0;) {
      crp_ledger_entry *entry = entry_at(s, number);
      uint32_t next = entry->next;
      uint32_t bucket = bucket_of(s, entry->key);
      entry->next = buckets[bucket];
      buckets[bucket] = number;
      number = next;
    }
  }
  if (old != NULL) munmap(old, old_count * sizeof(uint32_t));
}

static bool add_chunk(shard *s) {
  if (s->chunk_count == CHUNK_LIMIT) return false;
  crp_ledger_entry *chunk = map_pages(CHUNK_ENTRIES * sizeof(crp_ledger_entry));
  if (chunk == NULL) return false;
  uint32_t first = s->chunk_count * CHUNK_ENTRIES + 1;
  s->chunks[s->chunk_count++] = chunk;
  for (uint32_t i = 0; i < CHUNK_ENTRIES; i++) chunk[i].next = i + 1 < CHUNK_ENTRIES ? first + i + 1 : 0;
  s->free_head = first;
  return true;
}

// The place where the entry's number is stored: a bucket or the entry before it. The lock is held.
static uint32_t *link_to(shard *s, uint64_t key) {
  if (s->bucket_count == 0) return NULL;
  uint32_t *link = &s->buckets[bucket_of(s, key)];
  while (*link != 0) {
    crp_ledger_entry *entry = entry_at(s, *link);
    if (entry->key == key) return link;
    link = &entry->next;
  }
  return NULL;
}

// The lock is held.
static bool insert(shard *s, const crp_ledger_entry *value) {
  // At most three entries for two buckets: between 2.7 and 5.4 bytes of them for each entry.
  if (s->count * 2 >= (uint64_t)s->bucket_count * 3) grow_buckets(s);
  if (s->bucket_count == 0 || (s->free_head == 0 && !add_chunk(s))) return false;
  uint32_t number = s->free_head;
  crp_ledger_entry *entry = entry_at(s, number);
  s->free_head = entry->next;
  *entry = *value;
  uint32_t bucket = bucket_of(s, value->key);
  entry->next = s->buckets[bucket];
  s->buckets[bucket] = number;
  __atomic_store_n(&s->count, s->count + 1, __ATOMIC_RELAXED);
  return true;
}

// A task that was adopted before its maker entered it keeps the tag that it was given. The lock is held.
static bool take_over(shard *s, const crp_ledger_entry *value) {
  uint32_t *link = s->adopted == 0 ? NULL : link_to(s, value->key);
  crp_ledger_entry *entry = link == NULL ? NULL : entry_at(s, *link);
  if (entry == NULL || entry->kind != CRP_TASK_ADOPTED) return false;
  uint64_t iteration = entry->id == value->id ? entry->iteration : value->iteration;
  uint32_t next = entry->next;
  *entry = *value;
  entry->iteration = iteration;
  entry->next = next;
  s->adopted--;
  return true;
}

bool crp_ledger_insert(const crp_ledger_entry *value) {
  shard *s = shard_of(value->key);
  crp_lock(&s->lock);
  bool stored = take_over(s, value) || insert(s, value);
  crp_unlock(&s->lock);
  return stored;
}

bool crp_ledger_adopt(const crp_ledger_entry *value) {
  shard *s = shard_of(value->key);
  crp_lock(&s->lock);
  uint32_t *link = link_to(s, value->key);
  bool stored = true;
  if (link != NULL) {
    entry_at(s, *link)->iteration = value->iteration;
  } else if ((stored = insert(s, value))) {
    s->adopted++;
  }
  crp_unlock(&s->lock);
  return stored;
}

bool crp_ledger_find(uint64_t key, crp_ledger_entry *out) {
  shard *s = shard_of(key);
  crp_lock(&s->lock);
  uint32_t *link = link_to(s, key);
  if (link != NULL) *out = *entry_at(s, *link);
  crp_unlock(&s->lock);
  return link != NULL;
}

bool crp_ledger_remove(uint64_t key, crp_ledger_entry *out) {
  shard *s = shard_of(key);
  if (__atomic_load_n(&s->count, __ATOMIC_RELAXED) == 0) return false;
  crp_lock(&s->lock);
  uint32_t *link = link_to(s, key);
  if (link != NULL) {
    uint32_t number = *link;
    crp_ledger_entry *entry = entry_at(s, number);
    *out = *entry;
    *link = entry->next;
    if (entry->kind == CRP_TASK_ADOPTED) s->adopted--;
    entry->key = 0;
    entry->next = s->free_head;
    s->free_head = number;
    __atomic_store_n(&s->count, s->count - 1, __ATOMIC_RELAXED);
  }
  crp_unlock(&s->lock);
  return link != NULL;
}

bool crp_ledger_set_iteration(uint64_t key, uint64_t iteration) {
  shard *s = shard_of(key);
  crp_lock(&s->lock);
  uint32_t *link = link_to(s, key);
  if (link != NULL) entry_at(s, *link)->iteration = iteration;
  crp_unlock(&s->lock);
  return link != NULL;
}

bool crp_ledger_visit(uint64_t key, void (*visit)(crp_ledger_entry *entry, void *state), void *state) {
  shard *s = shard_of(key);
  if (__atomic_load_n(&s->count, __ATOMIC_RELAXED) == 0) return false;
  crp_lock(&s->lock);
  uint32_t *link = link_to(s, key);
  if (link != NULL) visit(entry_at(s, *link), state);
  crp_unlock(&s->lock);
  return link != NULL;
}

void crp_ledger_each(void (*visit)(crp_ledger_entry *entry, void *state), void *state) {
  for (uint32_t i = 0; i < SHARD_COUNT; i++) {
    shard *s = &shards[i];
    crp_lock(&s->lock);
    for (uint32_t bucket = 0; bucket < s->bucket_count; bucket++) {
      for (uint32_t number = s->buckets[bucket]; number != 0; number = entry_at(s, number)->next) {
        visit(entry_at(s, number), state);
      }
    }
    crp_unlock(&s->lock);
  }
}

uint64_t crp_ledger_memory(uint64_t *tasks) {
  uint64_t bytes = 0;
  *tasks = 0;
  for (uint32_t i = 0; i < SHARD_COUNT; i++) {
    shard *s = &shards[i];
    crp_lock(&s->lock);
    *tasks += s->count;
    bytes += s->bucket_count * sizeof(uint32_t) + (uint64_t)s->chunk_count * CHUNK_ENTRIES * sizeof(crp_ledger_entry);
    crp_unlock(&s->lock);
  }
  return bytes;
}

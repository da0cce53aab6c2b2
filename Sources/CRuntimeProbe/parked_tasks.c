// The chain of async functions that a parked task will go on with.
//
// A task that does not run holds the function that it resumes in and a context; each context begins with its
// caller's context and the function to go on with there. The task may be resumed while we look. So its memory is
// read through the kernel, which refuses what is no longer mapped, and what was read counts only if the task stands
// where it stood before; a task that runs is tried again.

#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#if CRP_SUPPORTED

typedef struct {
  uint64_t id;
  uint64_t *out;
  size_t count;
  bool runs;  // or did, in between
} chain_visit;

static bool read_words(uint64_t address, uint64_t *words, size_t count) {
  struct iovec mine = {words, count * sizeof *words}, there = {(void *)address, count * sizeof *words};
  return process_vm_readv(getpid(), &mine, 1, &there, 1, 0) == (ssize_t)(count * sizeof *words);
}

static uint64_t word_of(const crp_ledger_entry *entry, size_t offset) {
  return __atomic_load_n((const uint64_t *)(entry->key + offset), __ATOMIC_ACQUIRE);
}

static bool runs(const crp_ledger_entry *entry) {
  return crp_task_word((const void *)entry->key, CRP_TASK_STATUS) & CRP_STATUS_RUNNING;
}

static bool is_parked(const crp_ledger_entry *entry) {
  uint32_t status = crp_task_word((const void *)entry->key, CRP_TASK_STATUS);
  return !(status & (CRP_STATUS_RUNNING | CRP_STATUS_COMPLETE));
}

// The shard's lock is held: the task itself can be read.
static void walk(crp_ledger_entry *entry, void *state) {
  chain_visit *visit = state;
  if (entry->id != visit->id || entry->marks & CRP_MARK_FINISHING) return;
  visit->runs = runs(entry);
  if (!is_parked(entry)) return;
  uint64_t function = word_of(entry, CRP_TASK_RESUME), context = word_of(entry, CRP_TASK_RESUME_CONTEXT);
  uint64_t first[] = {function, context};
  while (visit->count < CRP_CHAIN_LIMIT && function != 0) {
    visit->out[visit->count++] = function;
    uint64_t words[2];  // the caller's context, and what it goes on with
    if (context == 0 || context % 8 != 0 || !read_words(context, words, 2)) break;
    context = words[0];
    function = words[1];
  }
  bool stayed = is_parked(entry) && word_of(entry, CRP_TASK_RESUME) == first[0]
                && word_of(entry, CRP_TASK_RESUME_CONTEXT) == first[1];
  if (stayed) return;
  visit->count = 0;
  visit->runs = true;
}

// Of all tasks only as many run as there are threads, most of them for microseconds: it is worth waiting for.
enum { ATTEMPTS = 20, QUICK_ATTEMPTS = 4 };

size_t crp_task_chain(uint64_t address, uint64_t id, uint64_t *out, bool *is_running) {
  chain_visit visit = {id, out, 0, false};
  for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
    visit.runs = false;
    crp_ledger_visit(address, walk, &visit);
    if (!visit.runs) break;
    struct timespec pause = {0, attempt < QUICK_ATTEMPTS ? 1000 : 250000};
    syscall(SYS_nanosleep, &pause, NULL);
  }
  *is_running = visit.runs;
  return visit.count;
}

#else

size_t crp_task_chain(uint64_t address, uint64_t id, uint64_t *out, bool *is_running) {
  return (void)address, (void)id, (void)out, *is_running = false, 0;
}

#endif

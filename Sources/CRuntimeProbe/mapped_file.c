// The mapped file: its making, its parts, and the progress block.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

enum { CRP_PAGE = 4096 };
#define CRP_ROUND(size) (((size_t)(size) + CRP_PAGE - 1) / CRP_PAGE * CRP_PAGE)
#define CRP_PROGRESS_OFFSET CRP_ROUND(sizeof(crp_file_header))
#define CRP_ACTORS_OFFSET (CRP_PROGRESS_OFFSET + CRP_ROUND(sizeof(crp_progress)))
#define CRP_BLOCKS_OFFSET (CRP_ACTORS_OFFSET + CRP_ROUND(CRP_ACTOR_CAPACITY * sizeof(crp_actor_entry)))
#define CRP_SETS_OFFSET (CRP_BLOCKS_OFFSET + CRP_ROUND(CRP_BLOCK_CAPACITY * sizeof(crp_thread_block)))
#define CRP_FILE_SIZE (CRP_SETS_OFFSET + CRP_ROUND(CRP_SET_CAPACITY * sizeof(crp_hold_set)))

static uint32_t open_lock;
static uint32_t progress_lock;
static char *mapped_base;

static void write_header(crp_file_header *header) {
  memcpy(header->magic, CRP_FILE_MAGIC, sizeof header->magic);
  header->version = CRP_FILE_VERSION;
  header->byte_order = CRP_BYTE_ORDER;
  header->header_size = sizeof(crp_file_header);
  header->progress_size = sizeof(crp_progress);
  header->actor_size = sizeof(crp_actor_entry);
  header->block_size = sizeof(crp_thread_block);
  header->actor_capacity = CRP_ACTOR_CAPACITY;
  header->block_capacity = CRP_BLOCK_CAPACITY;
  header->progress_offset = CRP_PROGRESS_OFFSET;
  header->actors_offset = CRP_ACTORS_OFFSET;
  header->blocks_offset = CRP_BLOCKS_OFFSET;
  header->sets_offset = CRP_SETS_OFFSET;
  header->set_size = sizeof(crp_hold_set);
  header->set_capacity = CRP_SET_CAPACITY;
  header->hold_stride = CRP_HOLD_STRIDE;
  header->file_size = CRP_FILE_SIZE;
  header->linking = crp_linking();
  header->process = (uint64_t)getpid();
}

static int map_memory(void) {
  if (mapped_base != NULL) return 0;
  void *base = mmap(NULL, CRP_FILE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return errno;
  write_header(base);
  crp_actor_entry *entries = (crp_actor_entry *)((char *)base + CRP_ACTORS_OFFSET);
  strcpy(entries[0].name, "MainActor");
  strcpy(entries[0].qualified_name, "Swift.MainActor");
  entries[0].state = 1;
  strcpy(entries[CRP_ACTOR_CAPACITY - 1].name, "(other actors)");
  strcpy(entries[CRP_ACTOR_CAPACITY - 1].qualified_name, "(other actors)");
  entries[CRP_ACTOR_CAPACITY - 1].state = 1;
  __atomic_store_n(&mapped_base, base, __ATOMIC_RELEASE);
  return 0;
}

// The file takes over the addresses of the memory it replaces, so that no pointer into it has to change.
static int replace_by_file(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return errno;
  int problem = posix_fallocate(file, 0, CRP_FILE_SIZE);
  for (size_t done = 0; problem == 0 && done < CRP_FILE_SIZE;) {
    ssize_t count = pwrite(file, mapped_base + done, CRP_FILE_SIZE - done, (off_t)done);
    if (count > 0) {
      done += (size_t)count;
    } else if (count == 0 || errno != EINTR) {
      problem = count == 0 ? EIO : errno;
    }
  }
  if (problem == 0
      && mmap(mapped_base, CRP_FILE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
    problem = errno;
  }
  close(file);
  return problem;
}

int crp_open(const char *path) {
  crp_lock(&open_lock);
  int problem = map_memory();
  if (problem == 0 && path != NULL) problem = replace_by_file(path);
  crp_unlock(&open_lock);
  return problem;
}

static bool is_zero(const char *page) {
  const uint64_t *words = (const uint64_t *)page;
  for (size_t i = 0; i < CRP_PAGE / sizeof *words; i++) {
    if (words[i] != 0) return false;
  }
  return true;
}

// Memory of this process alone takes over the addresses. Pages that were never written stay unmapped.
static int keep_private(size_t from, size_t to) {
  char *copy = mmap(NULL, to - from, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return errno;
  for (size_t at = from; at < to; at += CRP_PAGE) {
    if (!is_zero(mapped_base + at)) memcpy(copy + (at - from), mapped_base + at, CRP_PAGE);
  }
  if (mremap(copy, to - from, to - from, MREMAP_MAYMOVE | MREMAP_FIXED, mapped_base + from) == MAP_FAILED) {
    int problem = errno;
    munmap(copy, to - from);
    return problem;
  }
  return 0;
}

int crp_keep_counts_private(void) {
  crp_lock(&open_lock);
  int problem = mapped_base == NULL ? EINVAL : keep_private(0, CRP_PROGRESS_OFFSET);
  if (problem == 0) problem = keep_private(CRP_ACTORS_OFFSET, CRP_FILE_SIZE);
  crp_unlock(&open_lock);
  return problem;
}

const void *crp_mapped_base(void) { return __atomic_load_n(&mapped_base, __ATOMIC_ACQUIRE); }
size_t crp_file_size(void) { return CRP_FILE_SIZE; }

size_t crp_mapped_size(void) { return crp_mapped_base() != NULL ? CRP_FILE_SIZE : 0; }

crp_file_header *crp_header(void) { return (crp_file_header *)mapped_base; }
crp_progress *crp_progress_block(void) { return (crp_progress *)(mapped_base + CRP_PROGRESS_OFFSET); }
crp_actor_entry *crp_actor_entries(void) { return (crp_actor_entry *)(mapped_base + CRP_ACTORS_OFFSET); }
crp_thread_block *crp_block(uint32_t index) {
  return (crp_thread_block *)(mapped_base + CRP_BLOCKS_OFFSET) + index;
}
crp_hold_set *crp_hold_set_at(uint32_t index) {
  return (crp_hold_set *)(mapped_base + CRP_SETS_OFFSET) + index;
}

void crp_event_lost(void) { __atomic_fetch_add(&crp_header()->events_lost, 1, __ATOMIC_RELAXED); }

// The system call itself: both clock_gettime and syscall may be taken over in this program.
int64_t crp_raw_monotonic(void) {
  struct timespec time = {0, 0};
#if CRP_SUPPORTED
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_clock_gettime), "D"(CLOCK_MONOTONIC), "S"(&time)
                   : "rcx", "r11", "memory");
#else
  clock_gettime(CLOCK_MONOTONIC, &time);
#endif
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void crp_progress_store(const crp_progress *values) {
  if (crp_mapped_base() == NULL && crp_open(NULL) != 0) return;
  crp_progress next = *values;
  next.last_progress = crp_raw_monotonic();
  next.process = crp_header()->process;
  crp_lock(&progress_lock);
  crp_progress *block = crp_progress_block();
  next.sequence = block->sequence + 1;
  __atomic_store_n(&block->sequence, next.sequence, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  *block = next;
  __atomic_store_n(&block->sequence, next.sequence + 1, __ATOMIC_RELEASE);
  crp_unlock(&progress_lock);
}

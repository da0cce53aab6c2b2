// Waits, holds, depths and routes of the windows of a recording. What lies outside of them is left out by difference:
// an image of the probe's file is kept when a window opens, and what was added to it since then is added to a second
// image when the window closes. Both are laid out as the file itself; a reader reads the second as if it were one.
//
// No room is taken for the images before a window opens, and no more than is needed. A full disk would show as SIGBUS
// in the program, so the kernel is asked first.

#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "crr_internal.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { PAGE = 4096, OPENED = 0, SUMS = 1 };

static char *image(int which) {
  return (char *)crr_control + crr_control->images_offset + (size_t)which * crr_control->image_size;
}

static crp_file_header *header_of(char *image) { return (crp_file_header *)image; }

static crp_thread_block *block_of(char *image, uint64_t index) {
  return (crp_thread_block *)(image + header_of((char *)crp_mapped_base())->blocks_offset) + index;
}

static crp_hold_set *set_of(char *image, uint64_t index) {
  return (crp_hold_set *)(image + header_of((char *)crp_mapped_base())->sets_offset) + index;
}

// MARK: Room

static bool has_room(void *start, size_t size) {
  uintptr_t first = (uintptr_t)start / PAGE * PAGE, last = ((uintptr_t)start + size + PAGE - 1) / PAGE * PAGE;
  return size == 0 || madvise((void *)first, last - first, MADV_POPULATE_WRITE) == 0;
}

static uint64_t used_sets(const crp_file_header *header) {
  return header->sets_used < header->set_capacity ? header->sets_used : header->set_capacity;
}

static bool make_room(char *image, const crp_file_header *now) {
  uint64_t last = now->block_capacity - 1;
  return has_room(image, now->blocks_offset)
         && has_room(block_of(image, 0), now->blocks_used * sizeof(crp_thread_block))
         && has_room(block_of(image, last), sizeof(crp_thread_block))
         && has_room(set_of(image, 0), used_sets(now) * sizeof(crp_hold_set));
}

// MARK: Adding up

// Counters only grow, the 32-bit ones that share a word too: no difference borrows from its neighbour.
static void add_words(void *sums, const void *now, const void *then, size_t size) {
  uint64_t *sum = sums;
  const uint64_t *words = now, *before = then;
  for (size_t i = 0; i < size / sizeof *sum; i++) {
    sum[i] += __atomic_load_n(&words[i], __ATOMIC_RELAXED) - (before != NULL ? before[i] : 0);
  }
}

static void add_block(crp_thread_block *sum, const crp_thread_block *now, const crp_thread_block *then) {
  add_words(sum, now, then, offsetof(crp_thread_block, routes));
  for (size_t i = 0; i < CRP_ROUTE_CAPACITY; i++) {
    sum->routes[i].key = __atomic_load_n(&now->routes[i].key, __ATOMIC_ACQUIRE);
    add_words(&sum->routes[i].hops, &now->routes[i].hops, then != NULL ? &then->routes[i].hops : NULL, 8);
  }
  add_words(sum->actors, now->actors, then != NULL ? then->actors : NULL, sizeof now->actors);
}

// The extremes of a difference are not known: those of the whole recording bound them.
static void add_distribution(void *sum, const void *now, const void *then, size_t size) {
  uint64_t *mine = sum;
  uint64_t extremes[] = {((const uint64_t *)now)[2], ((const uint64_t *)now)[3]};
  add_words(sum, now, then, size);
  mine[2] = extremes[0];
  mine[3] = extremes[1];
}

static void add_set(crp_hold_set *sum, const crp_hold_set *now, const crp_hold_set *then) {
  sum->slot = now->slot;
  sum->block = now->block;
  add_words(&sum->contended, &now->contended, then != NULL ? &then->contended : NULL,
            offsetof(crp_hold_set, inversion_max) - offsetof(crp_hold_set, contended));
  sum->inversion_max = now->inversion_max;
#define ADD(field) add_distribution(&sum->field, &now->field, then != NULL ? &then->field : NULL, sizeof now->field)
  ADD(wait);
  ADD(hold);
  ADD(hold_fast);
  ADD(depth);
#undef ADD
}

// MARK: Windows

static void open_window(char *mapped, const crp_file_header *now) {
  char *opened = image(OPENED);
  memcpy(opened, mapped, now->blocks_offset);
  memcpy(opened, now, sizeof *now);
  memcpy(block_of(opened, 0), block_of(mapped, 0), now->blocks_used * sizeof(crp_thread_block));
  uint64_t last = now->block_capacity - 1;
  memcpy(block_of(opened, last), block_of(mapped, last), sizeof(crp_thread_block));
  memcpy(set_of(opened, 0), set_of(mapped, 0), used_sets(now) * sizeof(crp_hold_set));
}

static void close_window(char *mapped, const crp_file_header *now) {
  char *opened = image(OPENED), *sums = image(SUMS);
  const crp_file_header *then = header_of(opened);
  crp_file_header *sum = header_of(sums);
  uint64_t times_lost = sum->times_lost + now->times_lost - then->times_lost;
  uint64_t mismatches = sum->state_mismatches + now->state_mismatches - then->state_mismatches;
  memcpy(sums, mapped, now->blocks_offset);
  memcpy(sums, now, sizeof *now);
  sum->times_lost = times_lost;
  sum->state_mismatches = mismatches;
  uint64_t last = now->block_capacity - 1;
  for (uint64_t i = 0; i < now->blocks_used; i++) {
    // What was not used at the opening was not copied.
    add_block(block_of(sums, i), block_of(mapped, i), i < then->blocks_used ? block_of(opened, i) : NULL);
  }
  if (now->blocks_used <= last) add_block(block_of(sums, last), block_of(mapped, last), block_of(opened, last));
  for (uint64_t i = 0; i < used_sets(now); i++) {
    add_set(set_of(sums, i), set_of(mapped, i), i < used_sets(then) ? set_of(opened, i) : NULL);
  }
  crr_control->windows_closed++;
}

void crr_keep_window(bool opens) {
  if (crr_control->images_offset == 0) crr_control->window_state = CRP_WINDOWS_NO_ROOM;
  if (crr_control->window_state != CRP_WINDOWS_WHOLE) return;
  char *mapped = (char *)crp_mapped_base();
  crp_file_header now = *header_of(mapped);
  if (now.blocks_used >= now.block_capacity) now.blocks_used = now.block_capacity - 1;
  __atomic_store_n(&crr_control->window_state, CRP_WINDOWS_WRITING, __ATOMIC_RELEASE);
  if (!make_room(image(opens ? OPENED : SUMS), &now)) {
    crr_control->window_state = CRP_WINDOWS_NO_ROOM;
    return;
  }
  if (opens) {
    open_window(mapped, &now);
  } else {
    close_window(mapped, &now);
  }
  __atomic_store_n(&crr_control->window_state, CRP_WINDOWS_WHOLE, __ATOMIC_RELEASE);
}

void crr_keep_window_holds(int64_t length) {
  uint64_t in_window = length > 0 ? (uint64_t)length : 0;
  uint32_t list = crr_control->open_list, count = crr_control->window_hold_count;
  for (uint64_t i = 0; i < crr_control->open_counts[list] && count < CRP_OPEN_HOLD_CAPACITY; i++) {
    crp_open_hold hold = crr_control->open_holds[list][i];
    if (hold.ended_before >= in_window) continue;
    if (hold.lasted > in_window - hold.ended_before) hold.lasted = in_window - hold.ended_before;
    crr_control->window_holds[count++] = hold;
  }
  __atomic_store_n(&crr_control->window_hold_count, count, __ATOMIC_RELEASE);
}

// The frames that tasks resume through, see switches.c. Each thread keeps a list; frames move with their tasks from
// thread to thread, and the list that all share evens them out.

#define _GNU_SOURCE
#include <sys/mman.h>

#include "internal.h"
#include "switch_frames.h"

#if CRP_SUPPORTED

static uint32_t frame_lock;
static crp_switch_frame *spare_frames;

enum { FRAMES_MAPPED = 512, FRAMES_KEPT = 1024 };

__attribute__((noinline)) crp_switch_frame *crp_frame_slow(crp_thread *thread) {
  crp_lock(&frame_lock);
  crp_switch_frame *first = spare_frames, *last = first;
  uint64_t count = first != NULL;
  while (last != NULL && last->next != NULL && count < FRAMES_MAPPED / 4) {
    last = last->next;
    count++;
  }
  if (last != NULL) {
    spare_frames = last->next;
    last->next = NULL;
  }
  crp_unlock(&frame_lock);
  if (first == NULL) {
    crp_switch_frame *frames = mmap(NULL, FRAMES_MAPPED * sizeof *frames, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (frames == MAP_FAILED) return NULL;
    for (uint32_t i = 0; i + 1 < FRAMES_MAPPED; i++) frames[i].next = &frames[i + 1];
    first = frames;
    count = FRAMES_MAPPED;
  }
  thread->frames = first->next;
  return first;
}

__attribute__((noinline)) void crp_frame_share(crp_switch_frame *frame) {
  crp_lock(&frame_lock);
  frame->next = spare_frames;
  spare_frames = frame;
  crp_unlock(&frame_lock);
}

// Frames came from other threads; this one may have lost as many. Gives half away where it has too many.
__attribute__((noinline)) void crp_frames_gained(crp_thread *thread) {
  thread->frames_gained = 0;
  crp_switch_frame *last = thread->frames;
  uint32_t count = 0;
  for (crp_switch_frame *frame = last; frame != NULL; frame = frame->next) {
    if (++count % 2 == 0) last = last->next;
  }
  if (count < FRAMES_KEPT) return;
  crp_switch_frame *first = last->next;
  last->next = NULL;
  for (last = first; last->next != NULL; last = last->next) continue;
  crp_lock(&frame_lock);
  last->next = spare_frames;
  spare_frames = first;
  crp_unlock(&frame_lock);
}

#endif

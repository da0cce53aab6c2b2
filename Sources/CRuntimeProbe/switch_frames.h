#ifndef CRP_SWITCH_FRAMES_H
#define CRP_SWITCH_FRAMES_H

#include "internal.h"

#if CRP_SUPPORTED

// A thread's list of frames: taken where a task leaves, given where it resumes.

CRP_HIDDEN crp_switch_frame *crp_frame_slow(crp_thread *thread);
CRP_HIDDEN void crp_frames_gained(crp_thread *thread);
// Gives a frame to all threads.
CRP_HIDDEN void crp_frame_share(crp_switch_frame *frame);

static inline crp_switch_frame *crp_take_frame(crp_thread *thread) {
  crp_switch_frame *frame = thread->frames;
  if (CRP_UNLIKELY(frame == NULL)) return crp_frame_slow(thread);
  thread->frames = frame->next;
  return frame;
}

static inline void crp_keep_frame(crp_thread *thread, crp_switch_frame *frame) {
  frame->next = thread->frames;
  thread->frames = frame;
}

enum { CRP_FRAMES_LOOKED_AT = 512 };

// Of a task that may come from another thread.
static inline void crp_give_frame(crp_thread *thread, crp_switch_frame *frame) {
  if (CRP_UNLIKELY(thread->is_shared)) {
    crp_frame_share(frame);
    return;
  }
  crp_keep_frame(thread, frame);
  if (CRP_UNLIKELY(++thread->frames_gained > CRP_FRAMES_LOOKED_AT)) crp_frames_gained(thread);
}

#endif

#endif

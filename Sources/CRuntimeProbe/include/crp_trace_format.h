#ifndef CRP_TRACE_FORMAT_H
#define CRP_TRACE_FORMAT_H

// The layout of a trace's raw events, version 1: what a cell writes while it runs and the driver makes a timeline of,
// also when the cell was killed.
//
// One file, written with MAP_SHARED: a crp_trace_header, then, from the next page on, chunk_capacity chunks of
// chunk_events events. A chunk is taken by one thread at a time and its first entry, of the kind CRP_TRACE_CHUNK, says
// whose it is. `what` of an event is written last; the first event of a chunk without one ends it. Nothing is ever
// overwritten: when no chunk is left, events are lost and counted.

#include <stdint.h>

#include "crp_file_format.h"

#define CRP_TRACE_MAGIC "WEIRTRC1"
#define CRP_TRACE_VERSION 1u
#define CRP_TRACE_CHUNK_EVENTS 256u
#define CRP_TRACE_CHUNKS_MAX 262144u
#define CRP_TRACE_MARK_CAPACITY 128u
#define CRP_TRACE_MARK_SIZE 64u
// A place that is no actor: the generic executor.
#define CRP_TRACE_NO_SLOT 0xFFFFu

// In TASK_MADE, in place of a slot: the task is a timer of Task.sleep's.
#define CRP_TRACE_TIMER 1u

// What happened. Of each: what `task`, the place, and the code of the event are.
typedef enum crp_trace_kind {
  CRP_TRACE_NOTHING = 0,
  CRP_TRACE_CHUNK = 1,      // task: the thread's number in the kernel; the place: its counter block
  CRP_TRACE_JOB_BEGAN = 2,  // task: the job, 0 where it is no task; the executor it is run on; where it goes on
  CRP_TRACE_JOB_ENDED = 3,
  CRP_TRACE_LEFT = 4,       // task; where it goes; what it will run there
  CRP_TRACE_ARRIVED = 5,    // task; where it is; what it runs
  CRP_TRACE_FOUND = 6,      // task; where it is, though nobody saw it arrive; what it runs
  CRP_TRACE_AWAITED = 7,    // task, that suspends for a continuation; where it will go on
  CRP_TRACE_TASK_MADE = 8,  // task; the place's address: the creating task, 0 for none; what it will run
  CRP_TRACE_TASK_ENDED = 9,
  CRP_TRACE_TAGGED = 10,    // task; the place's address: the iteration's tag, 0 for none
  CRP_TRACE_CANCELLED = 11, // task
  CRP_TRACE_ACTOR_MADE = 12,// the creating task; the actor
  CRP_TRACE_MARKED = 13,    // task, 0 for none; the place's address: a value, its slot: the mark's number
  // What belongs to the event before it on this thread, in place of the task, of the place, and of the code: after
  // AWAITED, where the callers of the awaiting function go on; after TASK_MADE, return addresses of the creation; after
  // JOB_BEGAN, where a task that waited for a task or a group goes on, and its callers.
  CRP_TRACE_CALLERS = 14
} crp_trace_kind;

typedef struct crp_trace_event {
  uint64_t time;   // ticks, or in virtual time nanoseconds
  uint64_t task;   // the runtime's number of it
  uint64_t place;  // address << 16 | slot of the actor's type
  uint64_t what;   // code address << 16 | a crp_trace_kind
} crp_trace_event;

typedef struct crp_trace_header {
  char magic[8];
  uint32_t version;
  uint32_t header_size;
  uint32_t event_size;
  uint32_t chunk_events;
  uint32_t chunk_capacity;
  uint32_t is_virtual;
  uint64_t process;
  uint64_t chunks_offset;
  uint64_t file_size;
  uint64_t chunks_taken;      // never more than there are
  uint64_t first_lost;        // when the first event was lost; 0: none was
  uint64_t started_at;        // in the unit of the events
  uint64_t stopped_at;        // 0: still running, or killed
  int64_t cell_start;         // in virtual time: what the clock read at the start of the cell
  uint64_t clock_ticks;       // one moment on the clock of the events …
  int64_t clock_monotonic;    // … and on CLOCK_MONOTONIC
  double clock_nanoseconds;   // of one tick, as calibrated at the start
  uint64_t uses_cycle_counter;
  uint64_t marks_used;
  uint64_t lost[CRP_BLOCK_CAPACITY];  // by counter block
  char marks[CRP_TRACE_MARK_CAPACITY][CRP_TRACE_MARK_SIZE];  // each ended by a zero byte
} crp_trace_header;

#endif

#ifndef CRP_FILE_FORMAT_H
#define CRP_FILE_FORMAT_H

// The layout of the probe's mapped file, version 1.
//
// One file for each process that is probed, written with MAP_SHARED, so that it survives the death of its
// writer, SIGKILL included, and can be read while it is written. Parts, in this order, each aligned to a page:
//
//   header      one crp_file_header
//   progress    one crp_progress, written by the run engine
//   actors      actor_capacity × crp_actor_entry; slot 0 is the main actor, the last one gathers the overflow
//   blocks      block_capacity × crp_thread_block, one for each thread at a time; a reader adds them all up
//
// Every number is in the writer's byte order (see byte_order). Counters only grow. A counter is written by one
// thread alone, as one aligned 8-byte store; there is no lock, so a reader may see one counter slightly ahead
// of another while the program runs.

#include <stdint.h>

#define CRP_FILE_MAGIC "WEIRPRB1"
#define CRP_FILE_VERSION 1u
#define CRP_BYTE_ORDER 0x01020304u
#define CRP_ACTOR_CAPACITY 512u
#define CRP_BLOCK_CAPACITY 256u
#define CRP_ACTOR_NAME_SIZE 96u
#define CRP_ACTOR_QUALIFIED_NAME_SIZE 152u
#define CRP_PHASE_SIZE 32u

typedef struct crp_file_header {
  char magic[8];
  uint32_t version;
  uint32_t byte_order;
  uint32_t header_size;
  uint32_t progress_size;
  uint32_t actor_size;
  uint32_t block_size;
  uint32_t actor_capacity;
  uint32_t block_capacity;
  uint64_t progress_offset;
  uint64_t actors_offset;
  uint64_t blocks_offset;
  uint64_t file_size;
  uint32_t linking;       // a crp_linking_kind
  uint32_t mode;          // a crp_mode; the last one started
  uint64_t process;       // pid of the writer
  uint64_t tasks_alive;   // created and not yet destroyed, since the start
  uint64_t tasks_alive_max;
  uint64_t tasks_retained;  // complete but still referenced, as of the last look at the ledger
  uint64_t events_lost;   // what no block, slot or ledger entry was free for
  uint64_t blocks_used;   // blocks from the first on that have had an owner; the last block is used beside these
} crp_file_header;

// Counts of one thread for the switches onto one actor type.
typedef struct crp_actor_counters {
  uint64_t hops;
  uint64_t fast;
  uint64_t slow;
  uint64_t reserved;
} crp_actor_counters;

typedef struct crp_thread_block {
  uint64_t switches_same;
  uint64_t switches_moved;  // fast + slow, once the task has resumed; counted in both modes
  uint64_t switches_fast;
  uint64_t switches_slow;
  uint64_t tasks_created;
  uint64_t tasks_ended;
  uint64_t iteration_tasks_created;  // those that carry an iteration tag
  uint64_t iteration_tasks_ended;
  uint64_t cancels;
  uint64_t reserved[7];
  crp_actor_counters actors[CRP_ACTOR_CAPACITY];
} crp_thread_block;

typedef struct crp_actor_entry {
  uint64_t state;  // 0 free, 1 named
  char name[CRP_ACTOR_NAME_SIZE];  // unqualified, UTF-8, ended by a zero byte
  char qualified_name[CRP_ACTOR_QUALIFIED_NAME_SIZE];
} crp_actor_entry;

// How far the run has got; all of it is the run engine's word. Times in nanoseconds.
typedef struct crp_progress {
  uint64_t sequence;  // odd while it is being written
  char phase[CRP_PHASE_SIZE];
  uint64_t planned;
  uint64_t started;
  uint64_t completed;
  uint64_t failed;
  uint64_t cancelled;
  uint64_t dropped;
  uint64_t queued;
  uint64_t in_flight;
  int64_t virtual_now;
  int64_t cell_time;
  int64_t planned_end;
  int64_t last_progress;  // raw CLOCK_MONOTONIC of the last store
  uint64_t process;
} crp_progress;

#endif

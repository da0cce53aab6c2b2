#ifndef CRP_FILE_FORMAT_H
#define CRP_FILE_FORMAT_H

// The layout of the probe's mapped file, version 2.
//
// One file for each process that is probed, written with MAP_SHARED, so that it survives the death of its
// writer, SIGKILL included, and can be read while it is written. Parts, in this order, each aligned to a page:
//
//   header      one crp_file_header
//   progress    one crp_progress, written by the run engine
//   actors      actor_capacity × crp_actor_entry; slot 0 is the main actor, the last one gathers the overflow
//   blocks      block_capacity × crp_thread_block, one for each thread at a time; a reader adds them all up
//   sets        set_capacity × crp_hold_set: waits, holds and depths of one actor as one block saw them
//
// Every number is in the writer's byte order (see byte_order). Counters only grow. A counter is written by one
// thread alone, as one aligned 8-byte store; there is no lock, so a reader may see one counter slightly ahead
// of another while the program runs.

#include <stdint.h>

#define CRP_FILE_MAGIC "WEIRPRB1"
#define CRP_FILE_VERSION 3u
#define CRP_BYTE_ORDER 0x01020304u
#define CRP_ACTOR_CAPACITY 512u
#define CRP_BLOCK_CAPACITY 256u
#define CRP_ACTOR_NAME_SIZE 96u
#define CRP_ACTOR_QUALIFIED_NAME_SIZE 152u
#define CRP_PHASE_SIZE 32u
#define CRP_ROUTE_CAPACITY 64u
#define CRP_SET_CAPACITY 512u

// Log-linear buckets: values below 2^(BITS+1) exactly, above that 2^BITS buckets for each power of two (relative
// width at most 1/16). Times are nanoseconds up to 2^41 (36 min), depths go up to 2^16; what is larger is in the
// last bucket.
#define CRP_BUCKET_BITS 4u
#define CRP_TIME_BUCKETS 608u
#define CRP_DEPTH_BUCKETS 208u
// A route's end that is no actor: the generic executor.
#define CRP_NO_ACTOR 0xFFFFu

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
  uint64_t sets_offset;
  uint32_t set_size;
  uint32_t set_capacity;
  uint64_t sets_used;        // may exceed set_capacity; the sets beyond it do not exist and their values are lost
  uint64_t hold_stride;      // of the first fast holds of an actor type, one in so many on average is timed
  uint64_t times_lost;       // waits, holds and depths that no set or instance entry was free for
  uint64_t state_mismatches; // looks at a default actor's state that found it idle while a task ran on it
  double clock_nanoseconds;  // of one tick of the clock on the path, as calibrated at the start
} crp_file_header;

// Counts of one thread for the switches onto one actor type.
typedef struct crp_actor_counters {
  uint64_t hops;
  uint64_t fast;
  uint64_t slow;
  uint32_t until_sample;   // fast holds until one is timed, that one included; 0: not drawn yet
  uint32_t sample_weight;  // what that one counts for, in hold_strides
} crp_actor_counters;

// Hops of one thread from one actor type (or CRP_NO_ACTOR) onto another.
typedef struct crp_route {
  uint32_t key;  // from << 16 | onto, plus 1; 0: free
  uint32_t reserved;
  uint64_t hops;
} crp_route;

typedef struct crp_thread_block {
  uint64_t switches_same;
  // Of the switches onto no actor; those onto actors are in `actors`. Counted in both modes.
  uint64_t departures;
  uint64_t departures_fast;
  uint64_t departures_slow;
  uint64_t tasks_created;
  uint64_t tasks_ended;
  uint64_t iteration_tasks_created;  // those that carry an iteration tag
  uint64_t iteration_tasks_ended;
  uint64_t cancels;
  uint64_t routes_lost;  // hops that no route was free for
  uint64_t reserved[6];
  crp_route routes[CRP_ROUTE_CAPACITY];
  crp_actor_counters actors[CRP_ACTOR_CAPACITY];
} crp_thread_block;

// One distribution: exact sum and extremes beside the buckets.
typedef struct crp_time_histogram {
  uint64_t count;
  uint64_t sum;
  uint64_t minimum;  // meaningless while count is 0
  uint64_t maximum;
  uint32_t buckets[CRP_TIME_BUCKETS];
} crp_time_histogram;

typedef struct crp_depth_histogram {
  uint64_t count;
  uint64_t sum;
  uint64_t minimum;
  uint64_t maximum;
  uint32_t buckets[CRP_DEPTH_BUCKETS];
} crp_depth_histogram;

// What one block saw of one actor type. Written by the block's thread alone.
typedef struct crp_hold_set {
  uint32_t slot;
  uint32_t block;
  uint64_t contended;     // arrivals that found the actor busy
  uint64_t waits_unseen;  // slow arrivals whose time of arrival was not taken
  uint64_t holds_unseen;  // times a task left the actor and its arrival, or a hold ended and its end, was not seen
  uint64_t inversions;    // holds that a task of a higher priority waited for
  uint64_t inversion_ns;  // how long such tasks waited for the ends of these holds
  uint64_t inversion_max;
  uint64_t reserved;
  crp_time_histogram wait;       // slow arrivals: from the switch to the resumption
  crp_time_histogram hold;       // holds that are all timed: after a slow arrival, or long
  crp_time_histogram hold_fast;  // short holds after a fast arrival; each of the count stands for hold_stride of them
  crp_depth_histogram depth;     // of the arrivals that found the actor busy; all others found depth 0
} crp_hold_set;

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

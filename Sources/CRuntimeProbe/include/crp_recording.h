#ifndef CRP_RECORDING_H
#define CRP_RECORDING_H

// The control file of a recorded program, version 1: how `weir record` and the probe in the program speak.
//
// The probe makes it, beside its counters, before the program's main begins. Both map it shared; nothing holds a
// descriptor, so a program that closes all of its descriptors loses nothing. Parts, each aligned to a page:
//
//   head       one crp_recording
//   snapshots  CRP_SNAPSHOT_CAPACITY × snapshot_size: a crp_snapshot, then the sum of all thread blocks
//   tasks      two lists of CRP_TASK_CAPACITY crp_live_task; task_list says which one is whole
//   windows    two images of the probe's file, filled as far as they are needed: what the counters and distributions
//              were when the last window opened, and what was added to them in all windows that were closed. The file
//              takes no room for them before
//
// Names of the files: PREFIX.N.probe, PREFIX.N.control, PREFIX.N.maps, where N counts the programs that the process
// has been, from 1.

#include <stdbool.h>
#include <stdint.h>

#include "crp_file_format.h"

#define CRP_RECORDING_MAGIC "WEIRREC1"
#define CRP_SNAPSHOT_CAPACITY 32u
#define CRP_TASK_CAPACITY 4096u
#define CRP_OPEN_HOLD_CAPACITY 64u
#define CRP_REASON_SIZE 256u
#define CRP_PATH_SIZE 512u

// What the environment of the program says to the probe. Taken out of it before main.
#define CRP_VARIABLE_PREFIX "WEIR_RECORDING"
#define CRP_VARIABLE_PARENT "WEIR_RECORDING_PARENT"
#define CRP_VARIABLE_NUMBER "WEIR_RECORDING_NUMBER"
// Beside the prefix: a file with the number of events of a trace that is asked for.
#define CRP_TRACE_REQUEST "trace-events"
#define CRP_VARIABLE_PRELOAD "WEIR_RECORDING_PRELOAD"  // the LD_PRELOAD that the user had

typedef enum crp_recording_state {
  CRP_RECORDING_ABSENT = 1,    // there is no concurrency runtime in this program
  CRP_RECORDING_REFUSED = 2,   // there is one that the probe does not know
  CRP_RECORDING_COUNTING = 3,
  CRP_RECORDING_STOPPED = 4    // it was asked to
} crp_recording_state;

typedef enum crp_recording_command {
  CRP_COMMAND_SNAPSHOT = 1,  // keep the counts: a window opens or closes
  CRP_COMMAND_STOP = 2,
  CRP_COMMAND_LOOK = 4  // at the ledger, now
} crp_recording_command;

// What became of the images of windows.
typedef enum crp_window_state {
  CRP_WINDOWS_WHOLE = 0,
  CRP_WINDOWS_WRITING = 1,  // the program ended while one was written
  CRP_WINDOWS_NO_ROOM = 2   // there is no room for them; counts are kept all the same
} crp_window_state;

// A hold that had not ended, or whose end was not entered yet; see crp_look_at_open_holds.
typedef struct crp_open_hold {
  uint64_t slot;          // of the actor's type
  uint64_t identity;      // of the actor
  uint64_t start;         // on the path's clock
  uint64_t end;           // likewise; of one that goes on, when it was looked at
  uint64_t lasted;        // nanoseconds from start to end
  uint64_t ended_before;  // nanoseconds from the end to the look
} crp_open_hold;

typedef struct crp_recording {
  char magic[8];
  uint32_t size;            // of this struct
  uint32_t live_task_size;
  uint64_t process;
  uint32_t state;
  uint32_t command;         // bits; a futex that the probe waits on
  uint32_t answers;         // grows with every command that was done; a futex too
  uint32_t takes_signal;    // SIGUSR1 to the program opens and closes windows
  uint32_t snapshot_count;
  uint32_t forks;
  uint32_t task_list;       // 0 or 1
  uint32_t has_ended;       // 1: by exit or _exit, and the last look is from then; 2: by a signal, likewise
  uint64_t task_counts[2];  // how many there were; CRP_TASK_CAPACITY are kept at most
  int64_t looked_at[2];     // raw CLOCK_MONOTONIC of each list
  int64_t started_at;
  int64_t stopped_at;
  uint64_t snapshot_size;
  uint64_t snapshots_offset;
  uint64_t tasks_offset;
  uint64_t task_list_size;
  uint64_t file_size;
  double clock_drift;       // crp_clock_drift at the last look
  uint64_t ending_task;     // number of the task that called exit; 0: none did
  uint64_t images_offset;   // 0: there are none
  uint64_t image_size;
  uint32_t window_state;    // a crp_window_state
  uint32_t windows_closed;
  uint32_t open_list;       // 0 or 1: which of the following is whole
  uint32_t window_hold_count;
  uint32_t is_frozen;       // when it stopped, the counters left the file: no end after that is in them
  uint32_t reserved;
  uint64_t open_counts[2];
  int64_t holds_at[2];       // raw CLOCK_MONOTONIC of each list
  crp_open_hold open_holds[2][CRP_OPEN_HOLD_CAPACITY];
  // What was open when a window closed: `lasted` is the part in the window.
  crp_open_hold window_holds[CRP_OPEN_HOLD_CAPACITY];
  char reason[CRP_REASON_SIZE];
  char executed[CRP_PATH_SIZE];  // the program that this one has turned itself into
} crp_recording;

// Has the probe behind a control file do something (a crp_recording_command) and waits a quarter of a second at most
// for its answer; false: there was none. From the program itself, also in a signal handler, or from outside.
bool crp_recording_ask(void *control, uint32_t command);

// Whether a program's open file gives it rights that its user has not: the loader takes no preload then.
bool crp_file_gives_rights(int file);

typedef struct crp_snapshot {
  int64_t taken_at;
  int64_t reserved;
  crp_file_header header;
} crp_snapshot;

#endif

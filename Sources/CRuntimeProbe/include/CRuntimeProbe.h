#ifndef CRUNTIMEPROBE_H
#define CRUNTIMEPROBE_H

// Counting what the Swift concurrency runtime does, by standing in front of its functions.
//
// Two linkings of one source. Plainly compiled, the functions are defined here under the runtime's own names and
// are found before those of the shared library: calls made by user code are seen. Compiled with -DCRP_WRAP for a
// static standard library, every symbol of wrapped-symbols.txt is given to the linker as --wrap=SYMBOL: calls
// between the runtime's own object files are seen too.
//
// x86-64 Linux and the layout of the Swift 6.3 runtime only; elsewhere every function is there and crp_check_layout
// says why nothing is measured.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crp_file_format.h"
#include "crp_group_witness.h"
#include "crp_recording.h"
#include "crp_trace_format.h"

typedef enum crp_linking_kind {
  CRP_LINKING_ABSENT = 0,
  CRP_LINKING_INTERPOSED = 1,
  CRP_LINKING_WRAPPED = 2
} crp_linking_kind;

// counting: `same` switches, moves and hops, tasks. classifying: fast and slow apart as well.
typedef enum crp_mode { CRP_MODE_OFF = 0, CRP_MODE_COUNTING = 1, CRP_MODE_CLASSIFYING = 2 } crp_mode;

// How this program sees the runtime.
crp_linking_kind crp_linking(void);

// NULL if the runtime is laid out as this probe expects, else the reason, in words. Reads, changes nothing.
// Inside a task it also checks the fields of that task.
const char *crp_check_layout(void);

// Maps the counters onto a new file at `path`, carrying over what was counted; NULL: anonymous memory.
// Returns 0 or an errno. Call it before crp_start; counts made by other threads meanwhile may be lost.
int crp_open(const char *path);

// Starts counting. Returns NULL, or the reason why nothing is counted (see crp_check_layout).
const char *crp_start(crp_mode mode);

// Stops counting. Tasks already in the ledger leave it when they end.
void crp_stop(void);

// The mode in force.
crp_mode crp_current_mode(void);

// The mapped bytes of this process, laid out as crp_file_format.h says; crp_mapped_size bytes.
const void *crp_mapped_base(void);
size_t crp_mapped_size(void);
// The size of a probe's file, also before there is one.
size_t crp_file_size(void);

// The identity of the main actor's executor, where the program installs its own; else it is found out.
void crp_set_main_executor_identity(const void *identity);

// MARK: Actors

// An actor instance that some task had to wait for, since the start. Entries are kept by address: actors that
// followed one another at one address are one.
typedef struct crp_instance_times {
  uint64_t identity;
  uint64_t slot;      // of its type, or its last one's
  uint64_t arrivals;  // those that were not fast
  uint64_t held;      // nanoseconds of the holds that followed, and of long ones
} crp_instance_times;

// Copies up to `capacity` of them and returns how many there are.
size_t crp_instances(crp_instance_times *out, size_t capacity);

// Copies up to `capacity` holds that go on, or whose end is not entered yet, and returns how many; each actor once.
// For one thread, which calls it every few milliseconds: a hold that nobody timed at its beginning counts from the
// first look that saw it.
size_t crp_look_at_open_holds(crp_open_hold *out, size_t capacity);

#define CRP_HOLD_ADDRESSES 24u

// A hold in which its thread spent 100 ms or more of its own, running or blocked.
typedef struct crp_long_hold {
  uint64_t slot;
  uint64_t lasted;   // nanoseconds, as of the watcher's last look; at most one look too few
  uint64_t cpu;      // of these on a processor
  uint64_t blocked;  // of these seen blocked in the kernel
  uint32_t address_count;
  uint32_t reserved;
  uint64_t addresses[CRP_HOLD_ADDRESSES];  // where it was, and return addresses, innermost first
} crp_long_hold;

// A hold by a task of a lower priority than one that waited for its end, 10 ms or more.
typedef struct crp_inverted_hold {
  uint64_t slot;
  uint64_t waited;  // nanoseconds
  uint32_t holder_priority;
  uint32_t waiter_priority;
  uint32_t address_count;
  uint32_t reserved;
  uint64_t addresses[CRP_HOLD_ADDRESSES];  // as in crp_long_hold, while it was waited for
} crp_inverted_hold;

// Starts a thread that looks at the open holds a hundred times a second. Needs crp_open. 0 or an errno.
int crp_watch_holds(void);
// Ends it and waits for its end.
void crp_unwatch_holds(void);
// Copies up to `capacity` long holds and returns how many are kept; `seen` is set to how many there were.
size_t crp_long_holds(crp_long_hold *out, size_t capacity, uint64_t *seen);

// Copies up to `capacity` inverted holds whose stack was taken and returns how many are kept, 64 at most.
size_t crp_inverted_holds(crp_inverted_hold *out, size_t capacity);

// A thread that is running a job.
typedef struct crp_thread_in_job {
  uint64_t tid;
  uint64_t is_blocked;  // it sleeps in the kernel
} crp_thread_in_job;

// Copies up to `capacity` of them and returns how many there are; classifying only.
size_t crp_threads_in_jobs(crp_thread_in_job *out, size_t capacity);

// How much faster the kernel's clock has run than the one on the path, as calibrated at the start: 1e-5 is ten
// microseconds a second.
double crp_clock_drift(void);
// Whether the clock on the path is the processor's own counter.
bool crp_clock_is_cycle_counter(void);

// Takes the counters out of the file, for a process that is going to be copied: what its copies count is then theirs
// alone. The progress block stays in the file. While nothing counts on other threads. 0 or an errno.
int crp_keep_counts_private(void);

// MARK: Traces

// Maps a new file at `path` for about `events` events of 32 bytes; the disk's space is taken at once. Needs crp_open.
// 0 or an errno; EBUSY while a trace is on.
int crp_trace_open(const char *path, uint64_t events, bool is_virtual);
// Begins to trace; needs crp_trace_open and crp_start. In virtual time: on the thread that time belongs to.
bool crp_trace_start(void);
void crp_trace_stop(void);
// Ends it in a child, whose parent goes on with the file.
void crp_trace_leave(void);
// In virtual time: what the clock read at the start of the cell.
void crp_trace_set_cell_start(int64_t time);

// The number of a mark, for crp_trace_mark; the same for the same name. CRP_TRACE_MARK_CAPACITY: no trace is open, or
// there are too many.
uint32_t crp_trace_mark_named(const char *name);
// Enters an instant. `value`: 48 bits. One test of a flag while no trace is on; any thread.
void crp_trace_mark(uint32_t mark, uint64_t value);

// The processor's cycle counter and CLOCK_MONOTONIC at one moment, whether the counter runs evenly or not.
void crp_cycle_counter_now(uint64_t *ticks, int64_t *time);

// MARK: Progress

// Stores the values (sequence, last_progress and process are set here). Any thread; a few dozen nanoseconds.
void crp_progress_store(const crp_progress *values);

// CLOCK_MONOTONIC by the kernel itself, whoever answers clock_gettime in this program. Nanoseconds.
int64_t crp_raw_monotonic(void);

// MARK: Tasks

#define CRP_CREATION_ADDRESSES 10u
#define CRP_TASK_NAME_SIZE 28u
#define CRP_CHAIN_LIMIT 32u

typedef enum crp_task_kind {
  CRP_TASK_UNSTRUCTURED = 0,
  CRP_TASK_DETACHED = 1,
  CRP_TASK_GROUP_CHILD = 2,
  CRP_TASK_ASYNC_LET = 3,
  CRP_TASK_IMMEDIATE = 5,
  CRP_TASK_ADOPTED = 4  // made before the start, or not entered by its maker yet; entered because it was given a tag
} crp_task_kind;

typedef struct crp_live_task {
  uint64_t id;
  uint64_t parent_id;  // of the creating task; 0: none
  uint64_t iteration;  // the tag; 0: none
  uint32_t kind;       // a crp_task_kind
  uint32_t is_cancelled;
  uint32_t is_running;
  uint32_t is_enqueued;
  uint32_t is_complete;
  uint32_t has_started;
  uint32_t priority;  // as created: 0x21 user-initiated … 0x09 background; 0: none given
  uint32_t address_count;
  uint64_t addresses[CRP_CREATION_ADDRESSES];  // return addresses of the creation, innermost first
  int64_t cancelled_at;  // crp_now of the first cancel seen; 0: none seen
  int64_t last_ran;      // crp_now when it was last seen to run; 0: not known. Only when classifying
  uint64_t address;      // for crp_task_chain
  char name[CRP_TASK_NAME_SIZE + 4];  // cut to CRP_TASK_NAME_SIZE bytes, ended by a zero byte
} crp_live_task;

// What the cell's clock reads: CLOCK_BOOTTIME, virtual where that is. Nanoseconds.
int64_t crp_now(void);

// Copies up to `capacity` tasks of the ledger and returns how many there are. Tasks that are complete but
// still referenced are among them. Holds one shard's lock at a time.
size_t crp_live_tasks(crp_live_task *out, size_t capacity);

// The functions that a task which does not run will go on with, innermost first: the one that it resumes in, then
// its callers'. Writes up to CRP_CHAIN_LIMIT addresses of code and returns how many; 0 if the task runs, has ended,
// is another by now, or its memory cannot be read. `is_running` is set where it ran all the time, 4 ms of trying. About
// a microsecond for each.
size_t crp_task_chain(uint64_t address, uint64_t id, uint64_t *out, bool *is_running);

// The end of a task that was cancelled, or followed.
typedef struct crp_task_end {
  uint64_t id;
  uint64_t iteration;     // that it was made in; 0: none
  int64_t ended_at;       // crp_now
  int64_t cancel_delay;   // nanoseconds since the first cancel that was seen; -1: none was
} crp_task_end;

// Has the end of this task kept; false if it has ended or is another by now.
bool crp_follow_task(uint64_t address, uint64_t id);

// Takes up to `capacity` ends; each is handed out once. `lost` gets the number that there was no room for since the
// start. Cancels are those that pass through swift_task_cancel in this linking. An end is seen when the job in which
// the task ended returns; on an actor whose other work goes on, when its memory goes or the ledger is looked at.
size_t crp_take_task_ends(crp_task_end *out, size_t capacity, uint64_t *lost);

// The bytes that the ledger has mapped for tasks, and how many it holds. They grow with the most tasks alive at once.
uint64_t crp_ledger_memory(uint64_t *tasks);

// Counts the tasks that are complete but still referenced and writes the number into the file's header.
uint64_t crp_update_retained(void);

// Gives the current task, and with it all the tasks it creates from now on, an iteration tag. 0 takes it away.
// Returns false outside a task or while the probe is off.
bool crp_task_set_iteration(uint64_t tag);

// The tag of the current task; 0: none.
uint64_t crp_task_iteration(void);

// Watches the tasks of one tag: created and ended are counted for it alone from now on. 0 ends it.
void crp_watch_iteration(uint64_t tag);
void crp_watched_tasks(uint64_t *created, uint64_t *ended);

#endif

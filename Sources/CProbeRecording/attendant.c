// The probe's own thread in a recorded program. It keeps the counts when a window opens or closes, and looks at the
// ledger now and then and at the end, so that what is alive is known even of a program that was killed. It takes no
// signal, opens no descriptor and sleeps on a word of the control file.

#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "crr_internal.h"

enum { STACK_SIZE = 256 * 1024 };
static const int64_t look_interval = 1000000000;
static const int64_t hold_interval = 10000000;

// MARK: Waiting

static void wait_while(uint32_t *word, uint32_t value, int64_t nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  syscall(SYS_futex, word, FUTEX_WAIT, value, &time, NULL, 0);
}

static void wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1 << 20, NULL, NULL, 0); }

void crr_ask(crp_recording_command command) {
  if (!crr_is_recorded() || __atomic_load_n(&crr_control->state, __ATOMIC_ACQUIRE) != CRP_RECORDING_COUNTING) return;
  int error = errno;
  crp_recording_ask(crr_control, command);
  errno = error;
}

// MARK: What it keeps

static void look_at_holds(void) {
  uint32_t next = 1 - crr_control->open_list;
  crr_control->open_counts[next] = crp_look_at_open_holds(crr_control->open_holds[next], CRP_OPEN_HOLD_CAPACITY);
  crr_control->holds_at[next] = crp_raw_monotonic();
  __atomic_store_n(&crr_control->open_list, next, __ATOMIC_RELEASE);
}

static crp_snapshot *snapshot_at(uint32_t index) {
  char *base = (char *)crr_control + crr_control->snapshots_offset + index * crr_control->snapshot_size;
  return (crp_snapshot *)base;
}

// Counters of all threads, added up word by word.
static void keep_snapshot(void) {
  uint32_t index = __atomic_load_n(&crr_control->snapshot_count, __ATOMIC_RELAXED);
  if (index == CRP_SNAPSHOT_CAPACITY) return;
  crp_snapshot *snapshot = snapshot_at(index);
  uint64_t *sum = (uint64_t *)(snapshot + 1);
  const char *mapped = crp_mapped_base();
  crp_update_retained();
  snapshot->taken_at = crp_raw_monotonic();
  memcpy(&snapshot->header, mapped, sizeof snapshot->header);
  memset(sum, 0, sizeof(crp_thread_block));
  for (uint32_t i = 0; i < snapshot->header.block_capacity; i++) {
    if (i >= snapshot->header.blocks_used && i + 1 != snapshot->header.block_capacity) continue;
    const uint64_t *block = (const uint64_t *)(mapped + snapshot->header.blocks_offset + i * sizeof(crp_thread_block));
    for (size_t word = 0; word < sizeof(crp_thread_block) / sizeof *block; word++) {
      sum[word] += __atomic_load_n(&block[word], __ATOMIC_RELAXED);
    }
  }
  crr_keep_window(index % 2 == 0);
  if (index % 2 == 1) {
    look_at_holds();
    crr_keep_window_holds(snapshot->taken_at - snapshot_at(index - 1)->taken_at);
  }
  __atomic_store_n(&crr_control->snapshot_count, index + 1, __ATOMIC_RELEASE);
}

static void look_at_ledger(void) {
  uint32_t next = 1 - crr_control->task_list;
  crp_live_task *list =
      (crp_live_task *)((char *)crr_control + crr_control->tasks_offset + next * crr_control->task_list_size);
  crp_update_retained();
  crr_control->task_counts[next] = crp_live_tasks(list, CRP_TASK_CAPACITY);
  crr_control->clock_drift = crp_clock_drift();
  crr_control->looked_at[next] = crp_raw_monotonic();
  __atomic_store_n(&crr_control->task_list, next, __ATOMIC_RELEASE);
}

// Nothing new is counted any more; but waits and tasks that had begun still end, and would be entered. So the counters
// leave the file: it stays as it is now, and what the program does from here on is entered where nobody reads. Where
// there is no memory for that, ends go on being counted, and the recording says so.
static void freeze(void) {
  crp_trace_stop();
  crp_stop();
  crp_update_retained();
  crr_control->stopped_at = crp_raw_monotonic();
  crr_control->is_frozen = crp_keep_counts_private() == 0;
}

static void stop(void) { __atomic_store_n(&crr_control->state, CRP_RECORDING_STOPPED, __ATOMIC_RELEASE); }

static void look(void) {
  look_at_holds();
  look_at_ledger();
}

// MARK: Its thread

static void *attend(void *unused) {
  int64_t next_look = 0;
  for (;;) {
    wait_while(&crr_control->command, 0, hold_interval);
    uint32_t commands = __atomic_exchange_n(&crr_control->command, 0, __ATOMIC_ACQ_REL);
    int64_t begin = crp_raw_monotonic();
    if (commands == 0 && begin < next_look) {
      look_at_holds();
      continue;
    }
    if (commands & CRP_COMMAND_SNAPSHOT) keep_snapshot();
    if (commands & CRP_COMMAND_STOP) freeze();
    begin = crp_raw_monotonic();
    look();
    // At most a hundredth of a core goes into looking.
    int64_t end = crp_raw_monotonic(), rest = 100 * (end - begin);
    next_look = end + (rest > look_interval ? rest : look_interval);
    if (commands & CRP_COMMAND_STOP) stop();
    if (commands != 0) {
      __atomic_fetch_add(&crr_control->answers, 1, __ATOMIC_RELEASE);
      wake(&crr_control->answers);
    }
    if (crr_control->state == CRP_RECORDING_STOPPED) return unused;
  }
}

// MARK: Signals

// Only signals that nobody handles when the program begins: what would end it ends it after a last look, and SIGUSR1,
// which would end it too, opens and closes a window.
static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING_COUNT = sizeof ending_signals / sizeof *ending_signals };

static void look_before_death(void) {
  if (!crr_is_recorded()) return;
  __atomic_store_n(&crr_control->has_ended, 2, __ATOMIC_RELEASE);
  crr_ask(CRP_COMMAND_LOOK);
}

static void ended_by(int signal_number) {
  look_before_death();
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static void window_asked(int signal_number) {
  (void)signal_number;
  if (crr_is_recorded()) {
    __atomic_fetch_or(&crr_control->command, CRP_COMMAND_SNAPSHOT, __ATOMIC_RELEASE);
    wake(&crr_control->command);
  }
}

static bool handle(int number, void (*handler)(int)) {
  struct sigaction action;
  if (sigaction(number, NULL, &action) != 0 || action.sa_flags & SA_SIGINFO || action.sa_handler != SIG_DFL) return false;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  return sigaction(number, &action, NULL) == 0;
}

static void restore(int number, void (*handler)(int)) {
  struct sigaction action;
  if (sigaction(number, NULL, &action) == 0 && !(action.sa_flags & SA_SIGINFO) && action.sa_handler == handler) {
    signal(number, SIG_DFL);
  }
}

void crr_sends_itself(int signal_number) {
  struct sigaction action;
  if (!crr_is_recorded() || sigaction(signal_number, NULL, &action) != 0) return;
  if (action.sa_flags & SA_SIGINFO || action.sa_handler != ended_by) return;
  look_before_death();
  signal(signal_number, SIG_DFL);
}

void crr_restore_signals(void) {
  for (size_t i = 0; i < ENDING_COUNT; i++) restore(ending_signals[i], ended_by);
  restore(SIGUSR1, window_asked);
}

bool crr_start_attendant(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  // By this one the Swift runtime halts the other threads when it shows the stacks of a crash.
  sigdelset(&all, SIGPROF);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_SIZE);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  bool made = pthread_create(&thread, &attributes, attend, NULL) == 0;
  if (made) pthread_setname_np(thread, "weir-probe");
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!made) return false;
  for (size_t i = 0; i < ENDING_COUNT; i++) handle(ending_signals[i], ended_by);
  crr_control->takes_signal = handle(SIGUSR1, window_asked);
  return true;
}

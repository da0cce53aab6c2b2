// A thread that looks at the open holds every few milliseconds, and takes the stack of a holder that stays long.
//
// A hold is long when its thread has spent LONG_NANOSECONDS of its own in it: running, or blocked in the kernel. Time
// in which the machine had no core for it does not count, so a loaded machine makes no hold long.
//
// A hold that a task of high priority has waited for long is looked at too: should its end show that the holder was of
// a lower priority, its stack is kept (see crp_note_inversion). Before its end that cannot be told safely: the holder's
// task may not be read from another thread.
//
// The stack is captured by the thread itself in the handler of a realtime signal, by its frame pointers. Nothing in
// the handler allocates, locks or calls into the runtime. A blocking call of the holder may return EINTR from it.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "internal.h"

#if CRP_SUPPORTED

enum {
  LOOK_NANOSECONDS = 10000000,
  LONG_NANOSECONDS = 100000000,
  WAITED_NANOSECONDS = 10000000,  // the same as ActorFindings.inversionTime
  LONG_HOLD_CAPACITY = 64
};

// What the watcher knows of the hold that a thread had when it last looked.
typedef struct {
  uint64_t sequence;
  uint64_t first_ticks;
  uint64_t first_cpu;
  uint64_t blocked;  // nanoseconds in which it was seen off the processor by its own will
  uint32_t record;   // index + 1 of the long hold
} watched_hold;

static watched_hold watched[CRP_BLOCK_CAPACITY];
// The stack of a hold that a task of high priority waits for, until its end tells what it was. The watcher's alone.
typedef struct {
  uint64_t sequence;  // of the hold; 0: none
  crp_inverted_hold hold;
} waited_hold;

static waited_hold waited[CRP_BLOCK_CAPACITY];

// What the end of a thread's last inverted hold told. Written by that thread, `sequence` last.
static struct {
  uint64_t sequence;
  uint64_t waited;
  uint32_t holder_priority;
  uint32_t waiter_priority;
} inversions[CRP_BLOCK_CAPACITY];

static crp_inverted_hold inverted_holds[LONG_HOLD_CAPACITY];
static uint32_t inverted_hold_count;

static crp_long_hold long_holds[LONG_HOLD_CAPACITY];
static uint32_t long_hold_count;
static uint64_t long_holds_seen;

static pthread_t watcher;
static uint32_t is_watching;

// MARK: The stack

static struct {
  uint64_t tid;
  uint64_t sequence;
  uint32_t count;
  uint32_t is_done;
  uint64_t addresses[CRP_HOLD_ADDRESSES];
} capture;

extern const char __executable_start[], etext[];

static bool is_code(uintptr_t address) {
  return address >= (uintptr_t)__executable_start && address < (uintptr_t)etext;
}

// Whether a call instruction ends there: `call rel32`, or a call through a register or memory.
static bool follows_call(uintptr_t address) {
  if (!is_code(address) || !is_code(address - 8)) return false;
  const unsigned char *after = (const unsigned char *)address;
  if (after[-5] == 0xE8) return true;
  for (int length = 2; length <= 7; length++) {
    if (after[-length] == 0xFF && (after[1 - length] >> 3 & 7) == 2) return true;
  }
  return false;
}

// The C library keeps other things in the frame register. From within it the place where the program called it is
// looked for on the stack: the first word that is a return address into the program's own code.
static uintptr_t first_return(const crp_thread *thread, uintptr_t from) {
  for (uintptr_t at = from & ~(uintptr_t)7; at + 8 <= thread->stack_high && at < from + 4096; at += 8) {
    if (follows_call(*(const uintptr_t *)at)) return at;
  }
  return 0;
}

// From there on, the first frame: a saved frame pointer and a return address beside it.
static uintptr_t first_frame(const crp_thread *thread, uintptr_t from) {
  for (uintptr_t at = from & ~(uintptr_t)7; at + 16 <= thread->stack_high && at < from + 4096; at += 8) {
    const uintptr_t *words = (const uintptr_t *)at;
    uintptr_t saved = words[0] & ~((uintptr_t)1 << 60);
    if (is_code(words[1]) && saved > at && saved < thread->stack_high && saved % 8 == 0) return at;
  }
  return 0;
}

static void capture_stack(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)info;
  int saved_errno = errno;
  const crp_thread *thread = crp_this_thread;
  uint64_t wanted = __atomic_load_n(&capture.sequence, __ATOMIC_ACQUIRE);
  if (thread != NULL && thread->tid == capture.tid && thread->hold.is_open && thread->hold_sequence == wanted
      && !__atomic_load_n(&capture.is_done, __ATOMIC_RELAXED)) {
    const greg_t *registers = ((const ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t pc = (uintptr_t)registers[REG_RIP], at = (uintptr_t)registers[REG_RBP];
    uint32_t count = 0;
    capture.addresses[count++] = pc;
    if (!is_code(pc)) {
      uintptr_t call = first_return(thread, (uintptr_t)registers[REG_RSP]);
      if (call != 0) capture.addresses[count++] = *(const uintptr_t *)call;
      at = call != 0 ? first_frame(thread, call + 8) : 0;
    }
    while (count < CRP_HOLD_ADDRESSES && at >= thread->stack_low && at % 8 == 0 && at + 16 <= thread->stack_high) {
      const uintptr_t *words = (const uintptr_t *)at;
      if (words[1] == 0) break;
      capture.addresses[count++] = words[1];
      uintptr_t next = words[0] & ~((uintptr_t)1 << 60);
      if (next <= at) break;
      at = next;
    }
    capture.count = count;
    __atomic_store_n(&capture.is_done, 1, __ATOMIC_RELEASE);
  }
  errno = saved_errno;
}

int crp_watch_signal(void) { return SIGRTMIN + 7; }

static void take_stack(const crp_thread *thread, uint64_t sequence, uint64_t *addresses, uint32_t *address_count) {
  __atomic_store_n(&capture.is_done, 0, __ATOMIC_RELAXED);
  capture.count = 0;
  capture.tid = thread->tid;
  __atomic_store_n(&capture.sequence, sequence, __ATOMIC_RELEASE);
  if (syscall(SYS_tgkill, getpid(), (pid_t)thread->tid, crp_watch_signal()) != 0) return;
  for (unsigned i = 0; i < 50 && !__atomic_load_n(&capture.is_done, __ATOMIC_ACQUIRE); i++) {
    struct timespec pause = {0, 1000000};
    nanosleep(&pause, NULL);
  }
  if (!__atomic_load_n(&capture.is_done, __ATOMIC_ACQUIRE)) {
    // A handler that comes late finds nothing to do.
    __atomic_store_n(&capture.is_done, 1, __ATOMIC_RELEASE);
    return;
  }
  for (uint32_t i = 0; i < capture.count; i++) addresses[i] = capture.addresses[i];
  *address_count = capture.count;
}

// MARK: Looking

static uint64_t thread_cpu(uint64_t tid) {
  // The kernel's own encoding of a thread's processor clock.
  clockid_t clock = (clockid_t)((~(unsigned)tid << 3) | 6);
  struct timespec time;
  if (syscall(SYS_clock_gettime, clock, &time) != 0) return 0;
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static char thread_state(uint64_t tid) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%lu/stat", (unsigned long)tid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return '?';
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  // "tid (name) S …": the name may hold anything, a bracket included.
  for (ssize_t i = size - 1; i > 1; i--) {
    if (text[i] == ')' && i + 2 < size) return text[i + 2];
  }
  return '?';
}

// On the holder's own thread, at the end of its hold.
void crp_note_inversion(const crp_thread *thread, uint64_t waited_nanoseconds, uint32_t holder_priority) {
  if (waited_nanoseconds < WAITED_NANOSECONDS) return;
  size_t index = (size_t)(thread - crp_threads);
  __atomic_store_n(&inversions[index].sequence, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&inversions[index].waited, waited_nanoseconds, __ATOMIC_RELAXED);
  __atomic_store_n(&inversions[index].holder_priority, holder_priority, __ATOMIC_RELAXED);
  __atomic_store_n(&inversions[index].waiter_priority,
                   (uint32_t)__atomic_load_n(&thread->waiter_priority, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  __atomic_store_n(&inversions[index].sequence, thread->hold_sequence, __ATOMIC_RELEASE);
}

// Keeps the stack of a hold that has ended, if its end told of an inversion.
static void settle_waited(uint32_t index) {
  waited_hold *known = &waited[index];
  if (known->sequence == 0) return;
  uint64_t told = __atomic_load_n(&inversions[index].sequence, __ATOMIC_ACQUIRE);
  if (told == known->sequence && inverted_hold_count < LONG_HOLD_CAPACITY) {
    crp_inverted_hold *kept = &inverted_holds[inverted_hold_count];
    *kept = known->hold;
    kept->waited = __atomic_load_n(&inversions[index].waited, __ATOMIC_RELAXED);
    kept->holder_priority = __atomic_load_n(&inversions[index].holder_priority, __ATOMIC_RELAXED);
    kept->waiter_priority = __atomic_load_n(&inversions[index].waiter_priority, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    // Told anew meanwhile, of another hold: what was read may be a mixture.
    if (__atomic_load_n(&inversions[index].sequence, __ATOMIC_RELAXED) == told) {
      __atomic_store_n(&inverted_hold_count, inverted_hold_count + 1, __ATOMIC_RELEASE);
    }
  }
  known->sequence = 0;
}

// A task of high priority has waited for the end of this hold for some time.
static void look_at_waited(uint32_t index, const crp_thread *thread, uint64_t sequence, uint64_t now) {
  waited_hold *known = &waited[index];
  if (known->sequence == sequence || inverted_hold_count == LONG_HOLD_CAPACITY
      || __atomic_load_n(&thread->waiter_sequence, __ATOMIC_ACQUIRE) != sequence) {
    return;
  }
  uint64_t start = __atomic_load_n(&thread->waiter_start, __ATOMIC_RELAXED);
  if (now < start || crp_nanoseconds(now - start) < WAITED_NANOSECONDS) return;
  *known = (waited_hold){.sequence = sequence};
  known->hold.slot = __atomic_load_n(&thread->hold.slot, __ATOMIC_RELAXED);
  take_stack(thread, sequence, known->hold.addresses, &known->hold.address_count);
}

static void look_at(uint32_t index, uint64_t now, uint64_t since_last) {
  crp_thread *thread = &crp_threads[index];
  watched_hold *known = &watched[index];
  if (__atomic_load_n(&thread->hold_sequence, __ATOMIC_RELAXED) != waited[index].sequence
      || !__atomic_load_n(&thread->hold.is_open, __ATOMIC_RELAXED)) {
    settle_waited(index);
  }
  // Outside of a job that is seen, the end of a hold may not be.
  if (!__atomic_load_n(&thread->hold.is_open, __ATOMIC_RELAXED)
      || __atomic_load_n(&thread->job_depth, __ATOMIC_RELAXED) == 0) {
    known->sequence = 0;
    return;
  }
  uint64_t sequence = __atomic_load_n(&thread->hold_sequence, __ATOMIC_RELAXED);
  if (known->sequence != sequence) {
    *known = (watched_hold){sequence, now, thread_cpu(thread->tid), 0, 0};
    return;
  }
  if (__atomic_load_n(&thread->watch_sequence, __ATOMIC_RELAXED) != sequence) {
    __atomic_store_n(&thread->watch_start, known->first_ticks, __ATOMIC_RELAXED);
    __atomic_store_n(&thread->watch_sequence, sequence, __ATOMIC_RELEASE);
    __atomic_store_n(&thread->attention, sequence, __ATOMIC_RELEASE);
  }
  look_at_waited(index, thread, sequence, now);
  char state = thread_state(thread->tid);
  if (state == 'S') known->blocked += since_last;
  uint64_t cpu = thread_cpu(thread->tid) - known->first_cpu;
  if (known->record != 0) {
    crp_long_hold *hold = &long_holds[known->record - 1];
    hold->lasted = crp_nanoseconds(now - known->first_ticks);
    hold->cpu = cpu;
    hold->blocked = known->blocked;
    return;
  }
  if (cpu + known->blocked < LONG_NANOSECONDS) return;
  __atomic_fetch_add(&long_holds_seen, 1, __ATOMIC_RELAXED);
  uint32_t count = long_hold_count;
  if (count == LONG_HOLD_CAPACITY) {
    known->first_cpu += cpu + known->blocked;
    return;
  }
  crp_long_hold *hold = &long_holds[count];
  hold->slot = __atomic_load_n(&thread->hold.slot, __ATOMIC_RELAXED);
  hold->lasted = crp_nanoseconds(now - known->first_ticks);
  hold->cpu = cpu;
  hold->blocked = known->blocked;
  take_stack(thread, sequence, hold->addresses, &hold->address_count);
  known->record = count + 1;
  __atomic_store_n(&long_hold_count, count + 1, __ATOMIC_RELEASE);
}

static void *watch(void *unused) {
  (void)unused;
  uint64_t last = crp_ticks();
  while (__atomic_load_n(&is_watching, __ATOMIC_ACQUIRE)) {
    struct timespec pause = {0, LOOK_NANOSECONDS};
    nanosleep(&pause, NULL);
    if (__atomic_load_n(&crp_mode_in_force, __ATOMIC_RELAXED) != CRP_MODE_CLASSIFYING) continue;
    uint64_t now = crp_ticks();
    // A look that came late says of no more than its own time that a thread was blocked.
    uint64_t since_last = crp_nanoseconds(now - last);
    if (since_last > 2 * LOOK_NANOSECONDS) since_last = 2 * LOOK_NANOSECONDS;
    last = now;
    uint64_t used = __atomic_load_n(&crp_header()->blocks_used, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < used; i++) look_at(i, now, since_last);
  }
  return NULL;
}

int crp_watch_holds(void) {
  if (crp_mapped_base() == NULL) return EINVAL;
  uint32_t expected = 0;
  if (!__atomic_compare_exchange_n(&is_watching, &expected, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return 0;
  struct sigaction action = {0};
  action.sa_sigaction = capture_stack;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  int problem = sigaction(crp_watch_signal(), &action, NULL) != 0 ? errno : 0;
  if (problem == 0) problem = pthread_create(&watcher, NULL, watch, NULL);
  if (problem != 0) __atomic_store_n(&is_watching, 0, __ATOMIC_RELEASE);
  return problem;
}

void crp_unwatch_holds(void) {
  uint32_t expected = 1;
  if (__atomic_compare_exchange_n(&is_watching, &expected, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    pthread_join(watcher, NULL);
    for (uint32_t i = 0; i < CRP_BLOCK_CAPACITY; i++) settle_waited(i);
  }
}

size_t crp_inverted_holds(crp_inverted_hold *out, size_t capacity) {
  size_t count = __atomic_load_n(&inverted_hold_count, __ATOMIC_ACQUIRE);
  for (size_t i = 0; i < count && i < capacity; i++) out[i] = inverted_holds[i];
  return count;
}

size_t crp_long_holds(crp_long_hold *out, size_t capacity, uint64_t *seen) {
  *seen = __atomic_load_n(&long_holds_seen, __ATOMIC_RELAXED);
  size_t count = __atomic_load_n(&long_hold_count, __ATOMIC_ACQUIRE);
  for (size_t i = 0; i < count && i < capacity; i++) out[i] = long_holds[i];
  return count;
}

size_t crp_threads_in_jobs(crp_thread_in_job *out, size_t capacity) {
  size_t count = 0;
  if (crp_mapped_base() == NULL) return 0;
  uint64_t used = __atomic_load_n(&crp_header()->blocks_used, __ATOMIC_ACQUIRE);
  for (uint64_t i = 0; i < used; i++) {
    const crp_thread *thread = &crp_threads[i];
    if (!__atomic_load_n(&thread->in_use, __ATOMIC_RELAXED)
        || __atomic_load_n(&thread->job_depth, __ATOMIC_RELAXED) == 0) {
      continue;
    }
    char state = thread_state(thread->tid);
    if (count < capacity) out[count] = (crp_thread_in_job){thread->tid, state == 'S' || state == 'D'};
    count++;
  }
  return count;
}

#else

int crp_watch_holds(void) { return 0; }
void crp_unwatch_holds(void) {}
size_t crp_long_holds(crp_long_hold *out, size_t capacity, uint64_t *seen) {
  return (void)out, (void)capacity, *seen = 0, 0;
}
size_t crp_inverted_holds(crp_inverted_hold *out, size_t capacity) { return (void)out, (void)capacity, 0; }
size_t crp_threads_in_jobs(crp_thread_in_job *out, size_t capacity) { return (void)out, (void)capacity, 0; }

#endif

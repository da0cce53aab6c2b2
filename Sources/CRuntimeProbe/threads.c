// One state and one counter block for each thread, taken at its first event and given back at its end.

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"

#if CRP_SUPPORTED

crp_thread crp_threads[CRP_BLOCK_CAPACITY];
__thread crp_thread *crp_this_thread __attribute__((tls_model("initial-exec")));

static pthread_key_t thread_key;
static pthread_once_t key_made = PTHREAD_ONCE_INIT;

static void give_back(void *value) {
  crp_thread *thread = value;
  crp_this_thread = NULL;
  __atomic_store_n(&thread->in_use, 0, __ATOMIC_RELEASE);
}

static void make_key(void) { pthread_key_create(&thread_key, give_back); }

static void find_stack(crp_thread *thread) {
  pthread_attr_t attributes;
  void *low = NULL;
  size_t size = 0;
  thread->stack_low = thread->stack_high = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
    thread->stack_low = (uintptr_t)low;
    thread->stack_high = (uintptr_t)low + size;
  }
  pthread_attr_destroy(&attributes);
}

// Threads of dispatch block nearly all signals.
static void admit_watch_signal(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, crp_watch_signal());
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

static void raise_to(uint64_t *highest, uint64_t value) {
  uint64_t known = __atomic_load_n(highest, __ATOMIC_RELAXED);
  while (known < value
         && !__atomic_compare_exchange_n(highest, &known, value, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

// The last state has no owner: it serves the threads that find no free one. Its counts are not exact, and each
// thread that shares it is reported as a lost event.
__attribute__((noinline)) crp_thread *crp_attach_thread(void) {
  pthread_once(&key_made, make_key);
  for (uint32_t i = 0; i < CRP_BLOCK_CAPACITY - 1; i++) {
    crp_thread *thread = &crp_threads[i];
    uint64_t expected = 0;
    if (__atomic_load_n(&thread->in_use, __ATOMIC_RELAXED) != 0
        || !__atomic_compare_exchange_n(&thread->in_use, &expected, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      continue;
    }
    thread->block = crp_block(i);
    raise_to(&crp_header()->blocks_used, i + 1);
    // The sequence goes on where the last owner left it, so that a switch of his is never taken for ours.
    thread->job = thread->job == 0 ? (i + 1) * CRP_FIRST_JOB : thread->job + 1;
    // A thread that ended took its open hold with it.
    thread->hold.is_open = 0;
    thread->job_depth = 0;
    thread->trace_next = thread->trace_end = NULL;
    thread->trace_task = 0;
    thread->tid = (uint64_t)syscall(SYS_gettid);
    find_stack(thread);
    admit_watch_signal();
    pthread_setspecific(thread_key, thread);
    crp_this_thread = thread;
    return thread;
  }
  crp_event_lost();
  crp_thread *shared = &crp_threads[CRP_BLOCK_CAPACITY - 1];
  shared->block = crp_block(CRP_BLOCK_CAPACITY - 1);
  shared->job = CRP_BLOCK_CAPACITY * CRP_FIRST_JOB;
  shared->is_shared = true;
  crp_this_thread = shared;
  return shared;
}

#endif

// What other threads and signal handlers tell the owner, and the traits of the process itself.
#define _GNU_SOURCE
#include "cdt_internal.h"

#include <stdatomic.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static _Atomic(uint32_t) attention;

void cdt_raise_attention(uint32_t bits) { atomic_fetch_or(&attention, bits); }

void cdt_clear_attention(uint32_t bits) { atomic_fetch_and(&attention, ~bits); }

uint32_t cdt_attention(void) { return atomic_load_explicit(&attention, memory_order_relaxed); }

void cdt_request_stop(void) { cdt_raise_attention(CDT_ATTENTION_STOP); }

int cdt_disable_aslr_for_exec(void) {
  int former = personality(0xFFFFFFFF);
  if (former < 0) return -1;
  return personality((unsigned long)former | ADDR_NO_RANDOMIZE) < 0 ? -1 : former;
}

void cdt_restore_personality(int former) {
  if (former >= 0) personality((unsigned long)former);
}

bool cdt_aslr_is_disabled(void) {
  int current = personality(0xFFFFFFFF);
  return current >= 0 && (current & ADDR_NO_RANDOMIZE) != 0;
}

void cdt_thread_name(char buffer[16]) {
  if (prctl(PR_GET_NAME, buffer, 0, 0, 0) != 0) buffer[0] = 0;
}

int cdt_thread_number(void) { return (int)cdt_kernel(SYS_gettid, 0, 0, 0, 0, 0, 0); }

int cdt_thread_count(void) {
  // A directory has two links more than it has subdirectories, here one for each thread.
  struct stat tasks;
  return stat("/proc/self/task", &tasks) == 0 ? (int)tasks.st_nlink - 2 : 0;
}

// From the Swift runtime: libswift_Concurrency, or the program itself where that is static.
extern uint64_t swift_task_getJobTaskId(void *job) __attribute__((swiftcall));

uint64_t cdt_task_number(void *job) { return swift_task_getJobTaskId(job); }

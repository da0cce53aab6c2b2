// A process that does nothing but notice signals, in the process group of the one that made it: what it has had too
// was sent to the whole group, by the terminal, `kill -- -GROUP` or timeout(1); what it has not was sent to its maker
// alone. Who sent a signal does not tell that: a script that says `kill $!` is a member of the group as timeout is.

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

static void notice(crp_witness_notes *notes, pid_t maker) __attribute__((noreturn));

// System calls alone: other threads of the maker may have held any lock at the fork.
static void notice(crp_witness_notes *notes, pid_t maker) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NAME, "weir-witness");
  // Whoever waits for the end of a pipe waits for no witness.
  if (syscall(SYS_close_range, 0, ~0u, 0) != 0) {
    for (int descriptor = 0; descriptor < 1024; descriptor++) close(descriptor);
  }
  sigset_t all;
  sigfillset(&all);
  while (getppid() == maker) {
    int number = sigwaitinfo(&all, NULL);
    if (number <= 0 || number >= CRP_WITNESS_SIGNALS) continue;
    __atomic_store_n(&notes->noticed_at[number], crp_raw_monotonic(), __ATOMIC_RELAXED);
    __atomic_fetch_add(&notes->counts[number], 1, __ATOMIC_RELEASE);
  }
  _exit(0);
}

int crp_begin_witness(crp_witness_notes **notes) {
  void *page = mmap(NULL, sizeof(crp_witness_notes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return 0;
  sigset_t all, before;
  sigfillset(&all);
  // It is never without its mask: no handler of the maker's runs there.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t maker = getpid(), witness = fork();
  if (witness == 0) notice(page, maker);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (witness < 0) {
    munmap(page, sizeof(crp_witness_notes));
    return 0;
  }
  *notes = page;
  return witness;
}

uint64_t crp_witness_notice(const crp_witness_notes *notes, int number, int64_t *last) {
  uint64_t count = __atomic_load_n(&notes->counts[number], __ATOMIC_ACQUIRE);
  *last = __atomic_load_n(&notes->noticed_at[number], __ATOMIC_RELAXED);
  return count;
}

void crp_end_witness(int witness, crp_witness_notes *notes) {
  kill(witness, SIGKILL);
  while (waitpid(witness, NULL, 0) < 0 && errno == EINTR) {
  }
  munmap(notes, sizeof(crp_witness_notes));
}

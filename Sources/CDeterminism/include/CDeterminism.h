// Clock and randomness of the process, taken over for deterministic runs.
//
// Linking this target defines clock_gettime, gettimeofday, time, getrandom, getentropy, the arc4random
// family and syscall (for SYS_getrandom alone) in the executable. All pass through until cdt_enable.
// From then on the calling thread, the *owner*, reads virtual time and seeded random bytes. Every other
// thread keeps the real ones: a watchdog that waits for a deadline must not spin on a clock that stands.
//
// Not covered: reads of /dev/urandom and /dev/random, rdrand, /proc/sys/kernel/random (so Foundation's
// UUID() is not repeatable), the kernel's own clocks in nanosleep, timerfd and condition variables, and
// programs linked against a static libc.
#ifndef CDETERMINISM_H
#define CDETERMINISM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// CLOCK_REALTIME at virtual time 0: 2025-01-01T00:00:00Z, in seconds since 1970.
#define CDT_VIRTUAL_EPOCH_SECONDS 1735689600LL

/// The monotonic clocks at virtual time 0, in seconds. Not 0, because dispatch takes an instant of 0 for "for
/// ever"; not more, so that a dispatch timer armed early in the run lies in its threads' past, comes at once
/// and is seen for the foreign enqueue that it is.
#define CDT_VIRTUAL_UPTIME_SECONDS 1LL

/// Makes the calling thread the owner: its clocks follow cdt_now() from here on, its random bytes come from
/// a stream that `seed` determines.
void cdt_enable(uint64_t seed);

/// Passes everything through again. For a failed installation.
void cdt_disable(void);

/// True between cdt_enable and cdt_disable, on whatever thread.
bool cdt_is_enabled(void);

/// True on the thread that called cdt_enable, also while suspended.
bool cdt_is_owner(void);

/// The owner sees the real clock and real randomness between the two calls; no nesting. For code of the
/// harness that runs in between at moments the raw clock decides, so that it cannot shift the stream.
void cdt_suspend(void);
void cdt_resume(void);

/// Sets virtual time, in nanoseconds since the start of the run. The clocks of the owner read this much past
/// their own start: CDT_VIRTUAL_UPTIME_SECONDS (CLOCK_MONOTONIC, CLOCK_BOOTTIME and their relatives) and
/// CDT_VIRTUAL_EPOCH_SECONDS (CLOCK_REALTIME and its relatives). Below 2^63.
void cdt_set_now(uint64_t nanoseconds);

/// Virtual time in nanoseconds since the start of the run.
uint64_t cdt_now(void);

/// The raw monotonic clock in nanoseconds, whatever is enabled. About 20 ns.
uint64_t cdt_raw_monotonic_ns(void);

/// Random bytes drawn from the seeded stream so far. Tells whether a program's draws reach it.
uint64_t cdt_random_bytes_drawn(void);

/// What the loop of the owner should look at between two jobs.
enum { CDT_ATTENTION_STOP = 1, CDT_ATTENTION_FOREIGN = 2 };

/// Sets bits of the attention word. Any thread; async-signal-safe.
void cdt_raise_attention(uint32_t bits);

/// Clears bits of the attention word.
void cdt_clear_attention(uint32_t bits);

/// The attention word. One relaxed load.
uint32_t cdt_attention(void);

/// Asks the owner to stop before the next job. Same as raising CDT_ATTENTION_STOP; for signal handlers.
void cdt_request_stop(void);

/// Turns address space randomisation off for programs that this thread executes or spawns from now on
/// (personality(2), ADDR_NO_RANDOMIZE). Returns the former personality for cdt_restore_personality, or -1
/// with errno where the kernel or a container's seccomp filter refuses it. Async-signal-safe. Call it
/// either between fork and exec or around posix_spawn.
int cdt_disable_aslr_for_exec(void);

/// Sets back what cdt_disable_aslr_for_exec returned.
void cdt_restore_personality(int former);

/// True when this program itself was started without address space randomisation.
bool cdt_aslr_is_disabled(void);

/// The name of the calling thread in a buffer of 16 bytes.
void cdt_thread_name(char buffer[16]);

/// The kernel's number of the calling thread.
int cdt_thread_number(void);

/// The threads of this process, or 0 where /proc is not mounted.
int cdt_thread_count(void);

/// The runtime's number of a job's task, counted from 1 in the order of creation. 0 for jobs of no task.
uint64_t cdt_task_number(void *job);

/// Has the kernel kill this process when the thread that started it ends. False where `parent` has ended
/// already or the kernel refuses.
bool cdt_end_with_parent(int parent);

/// Copies this process, which must have no other thread that matters. 0 in the copy, which the kernel ends with this
/// process, and in which a crash is plain death by its signal: no stack is written, which takes seconds. The copy's
/// number here, or -1.
int cdt_fork(void);

/// Waits `nanoseconds` of real time.
void cdt_raw_sleep(uint64_t nanoseconds);

#ifdef __cplusplus
}
#endif

#endif

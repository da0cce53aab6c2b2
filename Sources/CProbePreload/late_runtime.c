// A program may load the Swift runtime, or a library that needs it, after its start. Our definitions are found first
// then too; they are not counting, and pass everything on. Where to is found out at the first call.

#include "preload.h"

#if defined(__x86_64__)

#include <dlfcn.h>
#include <stdlib.h>

#define CPL_EACH(use)                                                                                              \
  use(0, swift_task_switch) use(1, swift_job_run) use(2, swift_job_run_on_task_executor)                           \
      use(3, swift_job_run_on_serial_and_task_executor) use(4, swift_task_create) use(5, swift_task_cancel)        \
          use(6, swift_asyncLet_begin) use(7, swift_asyncLet_finish) use(8, swift_continuation_await)         \
              use(9, swift_defaultActor_initialize)

#define CPL_DECLARE(number, name)            \
  CPL_HIDDEN extern void *crp_real_##name;   \
  CPL_HIDDEN void cpl_late_##number(void);
CPL_EACH(CPL_DECLARE)

static struct {
  const char *name;
  void **real;
  void (*late)(void);
} functions[] = {
#define CPL_ROW(number, name) {#name, &crp_real_##name, cpl_late_##number},
    CPL_EACH(CPL_ROW)};

__attribute__((used)) CPL_HIDDEN void *cpl_find_late(unsigned number) {
  void *runtime = dlopen("libswift_Concurrency.so", RTLD_LAZY | RTLD_NOLOAD);
  void *found = runtime != NULL ? dlsym(runtime, functions[number].name) : NULL;
  // Somebody calls a function that no loaded library has.
  if (found == NULL) abort();
  *functions[number].real = found;
  return found;
}

// Every register in which these functions may have an argument is kept.
__asm__(
    ".text\n"
    "cpl_late_common:\n"
    "  pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n pushq %r8\n pushq %r9\n"
    "  pushq %r13\n pushq %r14\n pushq %rax\n subq $8, %rsp\n"
    "  movq 80(%rsp), %rdi\n"
    "  call cpl_find_late\n"
    "  movq %rax, %r11\n"
    "  addq $8, %rsp\n popq %rax\n popq %r14\n popq %r13\n popq %r9\n popq %r8\n"
    "  popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n"
    "  addq $8, %rsp\n"
    "  jmp *%r11\n");
#define CPL_STUB(number, name)                                                                              \
  __asm__(".text\n.hidden cpl_late_" #number "\n.globl cpl_late_" #number "\ncpl_late_" #number ":\n"       \
          "  pushq $" #number "\n  jmp cpl_late_common\n");
CPL_EACH(CPL_STUB)

__attribute__((constructor(1500))) static void prepare(void) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (*functions[i].real == NULL) *functions[i].real = (void *)functions[i].late;
  }
}

#endif

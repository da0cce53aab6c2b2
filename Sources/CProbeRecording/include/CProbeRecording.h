#ifndef CPROBERECORDING_H
#define CPROBERECORDING_H

// Starts the probe before main where `weir record` has asked for it by the environment; else does nothing at all.
// Linking it is enough. Linked statically, with the symbols of wrapped-symbols.txt given to the linker as --wrap,
// it makes a program recordable that takes no preload.

#include <stdbool.h>
#include <stdint.h>

// Whether this process is recorded now, and by which prefix and number its files go.
bool crr_is_recorded(void);
const char *crr_prefix(void);
unsigned crr_number(void);
long crr_parent(void);

// The program is about to end or to become another: one last look at the ledger. Waits a quarter of a second at most.
void crr_program_ends(void);

// The program sends itself a signal. One that would have ended it at once, were it not for our handler, shall do so.
void crr_sends_itself(int signal_number);

// Writes down what the process turns itself into; NULL takes it back.
void crr_executes(const char *path);

#endif

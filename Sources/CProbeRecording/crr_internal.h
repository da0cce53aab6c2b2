#ifndef CRR_INTERNAL_H
#define CRR_INTERNAL_H

#include "CProbeRecording.h"
#include "CRuntimeProbe.h"

#define CRR_HIDDEN __attribute__((visibility("hidden")))

// The control file of this process; NULL: it is not recorded.
CRR_HIDDEN extern crp_recording *crr_control;

// Why the probe has nothing to look at in this program; NULL: it has.
CRR_HIDDEN const char *crr_runtime_absence(void);
// The number of the task that runs on this thread; 0: none.
CRR_HIDDEN uint64_t crr_current_task(void);

// Keeps what the images of windows need when one opens or closes. The attendant's alone.
CRR_HIDDEN void crr_keep_window(bool opens);
// Of the holds that were open at the last look, keeps the parts in a window that closes and was that long, in ns.
CRR_HIDDEN void crr_keep_window_holds(int64_t length);
// Makes the thread that keeps snapshots and looks at the ledger.
CRR_HIDDEN bool crr_start_attendant(void);
// Has the attendant do something and waits for it, a quarter of a second at most. Safe in signal handlers.
CRR_HIDDEN void crr_ask(crp_recording_command command);
// Takes our handlers away where they are still there.
CRR_HIDDEN void crr_restore_signals(void);

#endif

// The library's own place in the environment.

#include <stdlib.h>

#include "preload.h"

static char user_preload[4096];
static bool had_preload;

// Children run without the probe, and with the LD_PRELOAD that the user had.
__attribute__((constructor(1500))) static void restore_preload(void) {
  const char *original = getenv(CRP_VARIABLE_PRELOAD);
  had_preload = original != NULL && strlen(original) < sizeof user_preload;
  if (had_preload) {
    strcpy(user_preload, original);
    setenv("LD_PRELOAD", user_preload, 1);
  } else {
    unsetenv("LD_PRELOAD");
  }
  unsetenv(CRP_VARIABLE_PRELOAD);
}

const char *cpl_user_preload(void) { return had_preload ? user_preload : NULL; }

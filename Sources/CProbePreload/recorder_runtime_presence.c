#define _GNU_SOURCE
#include "own.h"
#include "../CProbeRecording/runtime_presence.c"

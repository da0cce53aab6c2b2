#define _GNU_SOURCE
#include "own.h"
#include "../CProbeRecording/attendant.c"

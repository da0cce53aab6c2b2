#define _GNU_SOURCE
#include "own.h"
#include "../CProbeRecording/recording.c"

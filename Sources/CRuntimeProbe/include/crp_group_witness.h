#ifndef CRP_GROUP_WITNESS_H
#define CRP_GROUP_WITNESS_H

// A child in the group of this process that notices the signals it gets; see group_witness.c.

#include <stdint.h>

#define CRP_WITNESS_SIGNALS 65

typedef struct crp_witness_notes {
  uint64_t counts[CRP_WITNESS_SIGNALS];     // by signal number
  int64_t noticed_at[CRP_WITNESS_SIGNALS];  // crp_raw_monotonic of the last one
} crp_witness_notes;

// Makes it and returns its number; 0: it cannot be made.
int crp_begin_witness(crp_witness_notes **notes);
// How many signals of this number it has had, and when the last one came.
uint64_t crp_witness_notice(const crp_witness_notes *notes, int number, int64_t *last);
// Ends it, waits for its end and gives the notes back.
void crp_end_witness(int witness, crp_witness_notes *notes);

#endif

// Random bytes of the owner from one seeded stream: SplitMix64 (Steele, Lea, Flood 2014), eight bytes a
// step, a partial step for the rest of a request. The owner alone draws, so there is no lock.
#define _GNU_SOURCE
#include "cdt_internal.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>

static uint64_t state;
static uint64_t drawn;

void cdt_seed(uint64_t seed) {
  state = seed;
  drawn = 0;
}

uint64_t cdt_random_bytes_drawn(void) { return drawn; }

static uint64_t next(void) {
  state += 0x9E3779B97F4A7C15u;
  uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

void cdt_fill(void *buffer, size_t length) {
  unsigned char *place = buffer;
  drawn += length;
  while (length > 0) {
    uint64_t value = next();
    size_t part = length < sizeof value ? length : sizeof value;
    memcpy(place, &value, part);
    place += part;
    length -= part;
  }
}

ssize_t getrandom(void *buffer, size_t length, unsigned int flags) {
  if (cdt_applies()) {
    cdt_fill(buffer, length);
    return (ssize_t)length;
  }
  long result = cdt_kernel(SYS_getrandom, (long)buffer, (long)length, (long)flags, 0, 0, 0);
  if (result < 0) {
    errno = (int)-result;
    return -1;
  }
  return result;
}

int getentropy(void *buffer, size_t length) {
  if (length > 256) {
    errno = EIO;
    return -1;
  }
  size_t filled = 0;
  while (filled < length) {
    ssize_t part = getrandom((char *)buffer + filled, length - filled, 0);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) return -1;
    filled += (size_t)part;
  }
  return 0;
}

void arc4random_buf(void *buffer, size_t length) {
  char *place = buffer;
  while (length > 0) {
    size_t part = length < 256 ? length : 256;
    if (getentropy(place, part) != 0) __builtin_trap();
    place += part;
    length -= part;
  }
}

uint32_t arc4random(void) {
  uint32_t value;
  arc4random_buf(&value, sizeof value);
  return value;
}

uint32_t arc4random_uniform(uint32_t bound) {
  if (bound < 2) return 0;
  // Values below the threshold would make the low residues more frequent.
  uint32_t threshold = -bound % bound, value;
  do value = arc4random();
  while (value < threshold);
  return value % bound;
}

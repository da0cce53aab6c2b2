// Which programs can have the probe preloaded. Runs just before an exec, so it allocates nothing.

#include "preload.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

static const char loader[] = "/lib64/ld-linux-x86-64.so.2";

static bool is_loaded_by_system(int file, const char *head, size_t size) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)head;
  if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64) return false;
  for (unsigned i = 0; i < header->e_phnum; i++) {
    Elf64_Phdr part;
    off_t at = (off_t)(header->e_phoff + i * sizeof part);
    if (pread(file, &part, sizeof part, at) != (ssize_t)sizeof part) return false;
    if (part.p_type != PT_INTERP) continue;
    char name[sizeof loader];
    return part.p_filesz == sizeof loader && pread(file, name, sizeof name, (off_t)part.p_offset) == (ssize_t)sizeof name
           && memcmp(name, loader, sizeof name) == 0;
  }
  return false;
}

// The interpreter in a line "#!  /path argument".
static bool interpreter(const char *head, size_t size, char *path, size_t capacity) {
  size_t from = 2;
  while (from < size && (head[from] == ' ' || head[from] == '\t')) from++;
  size_t length = 0;
  while (from + length < size && strchr(" \t\n", head[from + length]) == NULL) length++;
  if (length == 0 || length >= capacity) return false;
  memcpy(path, head + from, length);
  path[length] = 0;
  return true;
}

static bool takes_preload(const char *path, int depth) {
  char head[256], next[256];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t size = pread(file, head, sizeof head, 0);
  bool elf = size > 0 && is_loaded_by_system(file, head, (size_t)size) && !crp_file_gives_rights(file);
  close(file);
  if (elf || size < 3 || memcmp(head, "#!", 2) != 0 || depth == 0) return elf;
  return interpreter(head, (size_t)size, next, sizeof next) && takes_preload(next, depth - 1);
}

bool cpl_takes_preload(const char *path) { return takes_preload(path, 4); }

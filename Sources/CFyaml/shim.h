// Reads a YAML text as a row of events, without building a tree: the library's own tree builder follows
// aliases and nests without a bound, and its structs hold unions that Swift reads badly.
#ifndef CFY_SHIM_H
#define CFY_SHIM_H

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

enum cfy_kind {
  CFY_FAILED,  // no further event; cfy_failure tells why
  CFY_END,
  CFY_DOCUMENT,
  CFY_SCALAR,
  CFY_ALIAS,
  CFY_SEQUENCE,
  CFY_MAPPING,
  CFY_CLOSE,
  CFY_OTHER,
};

// One event. Lines and columns count from 0, columns in characters; -1 where the text holds nothing (an
// empty value). `text` is not terminated and lives until the next event is read.
struct cfy_event {
  enum cfy_kind kind;
  int line, column;
  int end_line, end_column;
  const char *text;
  size_t length;
  bool is_plain;
  bool is_quoted;
  bool is_flow;
  bool has_anchor;
  bool has_tag;
};

// A syntax error; line and column count from 1. `message` lives until cfy_close.
struct cfy_failure {
  int line, column;
  const char *message;
};

struct cfy_reader {
  struct fy_diag *diagnostics;
  struct fy_parser *parser;
  struct fy_event *event;
};

static inline void cfy_close(struct cfy_reader *reader) {
  if (!reader) return;
  if (reader->event) fy_parser_event_free(reader->parser, reader->event);
  if (reader->parser) fy_parser_destroy(reader->parser);
  if (reader->diagnostics) fy_diag_destroy(reader->diagnostics);
  free(reader);
}

// Starts to read `text`, which must live until cfy_close. NULL when memory is short.
static inline struct cfy_reader *cfy_open(const char *text, size_t length) {
  struct cfy_reader *reader = (struct cfy_reader *)calloc(1, sizeof *reader);
  if (!reader) return NULL;
  struct fy_diag_cfg quiet;
  fy_diag_cfg_default(&quiet);
  quiet.fp = NULL;
  quiet.colorize = false;
  reader->diagnostics = fy_diag_create(&quiet);
  if (!reader->diagnostics) {
    cfy_close(reader);
    return NULL;
  }
  fy_diag_set_collect_errors(reader->diagnostics, true);
  struct fy_parse_cfg settings;
  memset(&settings, 0, sizeof settings);
  settings.search_path = "";
  // The reader in Swift keeps the depth itself, so that it can name the place.
  settings.flags = (enum fy_parse_cfg_flags)(FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DISABLE_DEPTH_LIMIT |
                                             FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE);
  settings.diag = reader->diagnostics;
  reader->parser = fy_parser_create(&settings);
  if (!reader->parser || fy_parser_set_string(reader->parser, text, length) != 0) {
    cfy_close(reader);
    return NULL;
  }
  return reader;
}

static inline enum cfy_kind cfy_kind_of(enum fy_event_type type) {
  switch (type) {
    case FYET_STREAM_END: return CFY_END;
    case FYET_DOCUMENT_START: return CFY_DOCUMENT;
    case FYET_SCALAR: return CFY_SCALAR;
    case FYET_ALIAS: return CFY_ALIAS;
    case FYET_SEQUENCE_START: return CFY_SEQUENCE;
    case FYET_MAPPING_START: return CFY_MAPPING;
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END: return CFY_CLOSE;
    default: return CFY_OTHER;
  }
}

// Reads the next event.
static inline struct cfy_event cfy_next(struct cfy_reader *reader) {
  struct cfy_event read;
  memset(&read, 0, sizeof read);
  read.line = read.column = read.end_line = read.end_column = -1;
  if (reader->event) fy_parser_event_free(reader->parser, reader->event);
  struct fy_event *event = reader->event = fy_parser_parse(reader->parser);
  if (!event) return read;
  read.kind = cfy_kind_of(event->type);
  const struct fy_mark *start = fy_event_start_mark(event);
  const struct fy_mark *end = fy_event_end_mark(event);
  if (start) {
    read.line = start->line;
    read.column = start->column;
  }
  if (end) {
    read.end_line = end->line;
    read.end_column = end->column;
  }
  struct fy_token *token = fy_event_get_token(event);
  if (read.kind == CFY_SCALAR) {
    // An empty value has no token.
    enum fy_scalar_style style = token ? fy_token_scalar_style(token) : FYSS_PLAIN;
    read.is_plain = style == FYSS_PLAIN;
    read.is_quoted = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    if (token) read.text = fy_token_get_text(token, &read.length);
  }
  if (read.kind == CFY_SEQUENCE || read.kind == CFY_MAPPING) {
    read.is_flow = fy_event_get_node_style(event) == FYNS_FLOW;
  }
  if (read.kind == CFY_SCALAR || read.kind == CFY_SEQUENCE || read.kind == CFY_MAPPING) {
    read.has_anchor = fy_event_get_anchor_token(event) != NULL;
    read.has_tag = fy_event_get_tag_token(event) != NULL;
  }
  return read;
}

// The next collected syntax error; `cursor` starts as NULL. False when there is none left.
static inline bool cfy_next_failure(struct cfy_reader *reader, void **cursor, struct cfy_failure *failure) {
  struct fy_diag_error *error = fy_diag_errors_iterate(reader->diagnostics, cursor);
  if (!error) return false;
  failure->line = error->line;
  failure->column = error->column;
  failure->message = error->msg ? error->msg : "not readable as YAML";
  return true;
}

#endif

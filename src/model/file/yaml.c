// yaml.c - YAML text into a tree, by libfyaml's events. Aliases are copied, so that the tree is a tree.
#include "model/file/yaml_slips.h"
#include "model/tree.h"

#include <libfyaml.h>
#include <stdio.h>
#include <string.h>

enum { ANCHORS = 256, ENTRIES = 4096 };   // of a file; of one mapping
enum { MESSAGE = 1000, OVERHEARD = 128 }; // bytes: of a message; of what libfyaml says

typedef struct {
  lim_arena *arena;
  const char *source, *input;
  size_t size; // of the input
  lim_error *err;
  lim_code code;  // stops the work
  bool duplicate; // a message that does not
  int nodes, depth;
  lim_node *open[LIM_TREE_DEPTH]; // containers not yet closed, outermost first (depth)
  lim_node *key[LIM_TREE_DEPTH];  // the key that waits for its value, of a mapping
  lim_node *root;
  bool again;       // another document begins
  int line, column; // of the last event that says where it stands
  int nanchor;
  lim_node *anchored[ANCHORS];
  const char *anchor[ANCHORS];
} builder;

// A message shows what a file holds: nothing in it may break the line, steer a terminal or end amid a letter.
static void make_printable(char *text) {
  size_t n = strlen(text), last = n;
  while (last > 0 && ((unsigned char)text[last - 1] & 0xC0) == 0x80) last--;
  if (n + 1 >= MESSAGE && last > 0 && (unsigned char)text[last - 1] >= 0xC0) text[last - 1] = 0;
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < 0x20 || *c == 0x7F) *c = ' ';
}

lim_code lim_tree_error(lim_error *err, const lim_node *at, const char *format, ...) {
  char text[MESSAGE];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  make_printable(text);
  return lim_error_add(err, LIM_BAD_INPUT, at->source, at->line, at->column, "%s", text);
}

// A message at the place that the parser has reached.
static void stop(builder *b, const char *text) {
  const lim_node here = {.source = b->source, .line = b->line, .column = b->column};
  b->code = lim_tree_error(b->err, &here, "%s", text);
}

lim_node *lim_tree_get(const lim_node *mapping, const char *key) {
  if (!mapping || mapping->kind != LIM_MAPPING) return NULL;
  for (int i = 0; i < mapping->count; i++)
    if (!strcmp(mapping->key[i]->text, key)) return mapping->item[i];
  return NULL;
}

const char *lim_node_text(const lim_node *node, char buffer[64]) {
  if (node->kind == LIM_MAPPING) return "a mapping";
  if (node->kind == LIM_SEQUENCE) return "a list";
  if (!node->text[0] && !node->quoted) return "empty";
  snprintf(buffer, 64, "'%.40s'", node->text);
  return buffer;
}

// A node at the place that the parser has reached: what is left empty stands where its key does.
static lim_node *node_new(builder *b, lim_node_kind kind) {
  if (++b->nodes > LIM_TREE_NODES) {
    char text[96];
    snprintf(text, sizeof text, "the file has more than %d entries, more than any model needs", LIM_TREE_NODES);
    stop(b, text);
    return NULL;
  }
  lim_node *node = lim_arena_allocate(b->arena, sizeof *node);
  if (!node) {
    b->code = lim_no_memory(b->err);
    return NULL;
  }
  node->kind = kind;
  node->source = b->source;
  node->line = b->line;
  node->column = b->column;
  return node;
}

bool lim_tree_append(lim_arena *arena, lim_node *parent, lim_node *key, lim_node *item) {
  int n = parent->count;
  lim_node **items = lim_arena_grow(arena, parent->item, (size_t)n, sizeof *items),
           **keys = lim_arena_grow(arena, parent->key, (size_t)n, sizeof *keys);
  if (!items || !keys) return false;
  parent->item = items;
  parent->key = keys;
  parent->key[n] = key;
  parent->item[n] = item;
  parent->count++;
  return true;
}

// FNV-1a. Comparing hashes first keeps mappings of many keys quick.
static unsigned hash_of(const char *text) {
  unsigned hash = 2166136261u;
  for (const char *c = text; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
  return hash;
}

static void check_key(builder *b, const lim_node *mapping, lim_node *key) {
  if (key->kind != LIM_SCALAR) {
    b->code = lim_tree_error(b->err, key, "a key must be a plain word, not a list or a mapping");
    return;
  }
  if (mapping->count >= ENTRIES) {
    b->code = lim_tree_error(b->err, key, "a mapping may have at most %d entries", ENTRIES);
    return;
  }
  key->hash = hash_of(key->text);
  for (int i = 0; i < mapping->count; i++)
    if (mapping->key[i]->hash == key->hash && !strcmp(mapping->key[i]->text, key->text)) {
      lim_tree_error(b->err, key, "key '%.40s' stands here a second time; the first is in line %d", key->text,
                     mapping->key[i]->line);
      b->duplicate = true;
      return;
    }
}

// Hang a finished node on the innermost open container.
static void place(builder *b, lim_node *node) {
  if (b->depth == 0) {
    b->root = node;
    return;
  }
  lim_node *parent = b->open[b->depth - 1];
  lim_node **key = &b->key[b->depth - 1];
  if (parent->kind == LIM_MAPPING && !*key) {
    *key = node;
    check_key(b, parent, node);
    return;
  }
  if (!lim_tree_append(b->arena, parent, *key, node)) b->code = lim_no_memory(b->err);
  *key = NULL;
}

static void remember(builder *b, struct fy_token *anchor, lim_node *node) {
  size_t length = 0;
  const char *text = anchor ? fy_token_get_text(anchor, &length) : NULL;
  if (!text) return;
  if (b->nanchor == ANCHORS) {
    b->code = lim_tree_error(b->err, node, "more than %d anchors", ANCHORS);
    return;
  }
  b->anchor[b->nanchor] = lim_arena_text(b->arena, text, length);
  b->anchored[b->nanchor] = node;
  if (!b->anchor[b->nanchor++]) b->code = lim_no_memory(b->err);
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_break(char c) { return c == '\n' || c == '\r'; }

// Lines are folded: blanks around a break vanish; one break is a blank, more are one less.
static const char *fold(const char *c, const char *end, char *text, size_t *length) {
  int breaks = 0;
  while (*length && is_blank(text[*length - 1])) --*length;
  for (; c < end && (is_blank(*c) || is_break(*c)); c++) breaks += *c == '\n' || (*c == '\r' && c[1] != '\n');
  if (breaks == 1) text[(*length)++] = ' ';
  for (int i = 1; i < breaks; i++) text[(*length)++] = '\n';
  return c;
}

// The text of a scalar in single quotes, read from the input: libfyaml 0.7.12 gets several quotes in a row
// wrong, and leaks.
static char *unquote(builder *b, struct fy_event *event, size_t *length) {
  const struct fy_mark *start = fy_event_start_mark(event), *stop = fy_event_end_mark(event);
  if (!start || !stop || stop->input_pos > b->size || start->input_pos > stop->input_pos) return NULL;
  const char *c = b->input + start->input_pos, *end = b->input + stop->input_pos;
  char *text = lim_arena_allocate(b->arena, (size_t)(end - c) + 1);
  for (*length = 0; text && c < end;) {
    if (is_break(*c)) {
      c = fold(c, end, text, length);
    } else {
      text[(*length)++] = *c;
      c += c[0] == '\'' ? 2 : 1; // '' is one quote
    }
  }
  if (text) text[*length] = 0;
  return text;
}

static char *text_of(builder *b, struct fy_event *event, enum fy_scalar_style style, size_t *length) {
  if (style == FYSS_SINGLE_QUOTED) return unquote(b, event, length);
  const char *text = event->scalar.value ? fy_token_get_text(event->scalar.value, length) : NULL;
  if (!text) *length = 0;
  return lim_arena_text(b->arena, text ? text : "", *length);
}

static void scalar(builder *b, struct fy_event *event) {
  lim_node *node = node_new(b, LIM_SCALAR);
  if (!node) return;
  size_t length = 0;
  enum fy_scalar_style style = event->scalar.value ? fy_token_scalar_style(event->scalar.value) : FYSS_PLAIN;
  bool in_quotes = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
  node->text = text_of(b, event, style, &length);
  node->quoted = style != FYSS_PLAIN;
  if (in_quotes && node->column > 1) node->column--; // the mark stands behind the quote
  if (!node->text)
    b->code = lim_no_memory(b->err);
  else if (strlen(node->text) != length)
    b->code = lim_tree_error(b->err, node, "a text may not hold a zero byte");
  else {
    remember(b, event->scalar.anchor, node);
    place(b, node);
  }
}

static void container(builder *b, lim_node_kind kind, struct fy_token *anchor) {
  lim_node *node = node_new(b, kind);
  if (!node) return;
  if (b->depth == LIM_TREE_DEPTH) {
    b->code = lim_tree_error(b->err, node, "nested more than %d deep", LIM_TREE_DEPTH);
    return;
  }
  remember(b, anchor, node);
  place(b, node);
  b->key[b->depth] = NULL;
  b->open[b->depth++] = node;
}

// A copy of the anchored part; its depth is bounded, and every node counts.
static lim_node *copy(builder *b, const lim_node *from, int depth) {
  lim_node *node = node_new(b, from->kind);
  if (!node) return NULL;
  if (depth > LIM_TREE_DEPTH) {
    b->code = lim_tree_error(b->err, from, "nested more than %d deep", LIM_TREE_DEPTH);
    return NULL;
  }
  node->line = from->line;
  node->column = from->column;
  node->text = from->text;
  node->quoted = from->quoted;
  for (int i = 0; i < from->count; i++) {
    lim_node *item = copy(b, from->item[i], depth + 1);
    if (!item) return NULL;
    if (!lim_tree_append(b->arena, node, from->key[i], item)) {
      b->code = lim_no_memory(b->err);
      return NULL;
    }
  }
  return node;
}

static void alias(builder *b, struct fy_event *event) {
  size_t length = 0;
  const char *text = fy_token_get_text(event->alias.anchor, &length);
  const lim_node here = {.source = b->source, .line = b->line, .column = b->column};
  for (int i = b->nanchor - 1; text && i >= 0; i--) {
    if (strlen(b->anchor[i]) != length || memcmp(b->anchor[i], text, length)) continue;
    for (int d = 0; d < b->depth; d++)
      if (b->open[d] == b->anchored[i]) {
        b->code = lim_tree_error(b->err, &here, "alias '%.40s' stands inside what it refers to", b->anchor[i]);
        return;
      }
    lim_node *node = copy(b, b->anchored[i], b->depth);
    if (node) place(b, node);
    return;
  }
  b->code =
      lim_tree_error(b->err, &here, "alias '%.*s' has no anchor before it", (int)length, text ? text : "");
}

static void handle(builder *b, struct fy_event *event) {
  const struct fy_mark *mark = fy_event_start_mark(event);
  if (mark) {
    b->line = mark->line + 1;
    b->column = mark->column + 1;
  }
  if (event->type == FYET_DOCUMENT_START) {
    b->again = b->root;
    return;
  }
  if (b->again) {
    stop(b, "a second document begins here; a model file holds one");
    return;
  }
  switch (event->type) {
  case FYET_SCALAR: scalar(b, event); break;
  case FYET_ALIAS: alias(b, event); break;
  case FYET_MAPPING_START: container(b, LIM_MAPPING, event->mapping_start.anchor); break;
  case FYET_SEQUENCE_START: container(b, LIM_SEQUENCE, event->sequence_start.anchor); break;
  case FYET_MAPPING_END:
  case FYET_SEQUENCE_END: b->depth -= b->depth > 0; break;
  default: break;
  }
}

// What libfyaml would print: the first line is kept, for complaints that it does not collect.
static void overhear(struct fy_diag *diag, void *user, const char *text, size_t length) {
  static const char mark[] = "[ERR]: ";
  char *first = user;
  (void)diag;
  if (first[0] || length < sizeof mark || memcmp(text, mark, sizeof mark - 1)) return;
  text += sizeof mark - 1;
  snprintf(first, OVERHEARD, "%.*s", (int)strcspn(text, "\n"), text);
}

// libfyaml's first complaint, as ours; what follows it is only its consequence. A slip that is known by its
// form is told instead.
static void report_syntax(builder *b, struct fy_diag *diag, const char *overheard) {
  void *at = NULL;
  char slip[LIM_SLIP];
  const struct fy_diag_error *e = fy_diag_errors_iterate(diag, &at);
  while (e && (e->type != FYET_ERROR || e->line < 1)) e = fy_diag_errors_iterate(diag, &at);
  lim_node here = {.source = b->source, .line = e ? e->line : 0, .column = e ? e->column : 0};
  const char *reason = e ? e->msg : overheard[0] ? overheard : "the parser gave no reason";
  reason = lim_slip_of_yaml(reason);
  if (e && lim_slip_of_line(slip, &here.column, b->input, b->size, e->line)) reason = slip;
  b->code = lim_tree_error(b->err, &here, "not valid YAML: %s", reason);
}

static void build(builder *b, struct fy_parser *parser, struct fy_diag *diag, const char *overheard) {
  for (bool done = false; !done && b->code == LIM_OK;) {
    struct fy_event *event = fy_parser_parse(parser);
    if (!event) {
      report_syntax(b, diag, overheard);
      return;
    }
    done = event->type == FYET_STREAM_END;
    handle(b, event);
    fy_parser_event_free(parser, event);
  }
}

lim_code lim_yaml_parse(lim_node **out, lim_arena *arena, const char *text, size_t size, const char *source,
                        lim_error *err) {
  *out = NULL;
  if (size > LIM_FILE_SIZE)
    return lim_error_add(err, LIM_BAD_INPUT, source, 0, 0, LIM_TOO_LARGE, LIM_FILE_SIZE >> 20);
  lim_code code = lim_yaml_check_text(text, size, source, err);
  if (code != LIM_OK) return code;

  builder b = {
      .arena = arena, .source = source, .input = text, .size = size, .err = err, .line = 1, .column = 1};
  char overheard[OVERHEARD] = "";
  struct fy_diag_cfg config;
  fy_diag_cfg_default(&config);
  config.fp = NULL;
  config.output_fn = overhear;
  config.user = overheard;
  struct fy_diag *diag = fy_diag_create(&config);
  if (diag) fy_diag_set_collect_errors(diag, true);
  struct fy_parse_cfg parse = {.flags = FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE,
                               .diag = diag};
  struct fy_parser *parser = diag ? fy_parser_create(&parse) : NULL;
  if (!parser || fy_parser_set_string(parser, text, size))
    b.code = lim_no_memory(b.err);
  else
    build(&b, parser, diag, overheard);
  if (parser) fy_parser_destroy(parser);
  if (diag) fy_diag_destroy(diag);
  if (b.code == LIM_OK) *out = b.root;
  return b.code == LIM_OK && b.duplicate ? LIM_BAD_INPUT : b.code;
}

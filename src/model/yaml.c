// yaml.c - YAML text into a tree, by libfyaml's events. Aliases are copied, so that the tree is a tree.
#include "model/tree.h"

#include <libfyaml.h>
#include <stdio.h>
#include <string.h>

enum { ANCHORS = 256, ENTRIES = 4096 }; // of a file; of one mapping

typedef struct {
  lim_arena *arena;
  const char *source;
  lim_error *err;
  lim_code code;  // stops the work
  bool duplicate; // a message that does not
  int nodes, depth;
  lim_node *open[LIM_TREE_DEPTH]; // containers not yet closed, outermost first (depth)
  lim_node *key[LIM_TREE_DEPTH];  // the key that waits for its value, of a mapping
  lim_node *root;
  int nanchor;
  lim_node *anchored[ANCHORS];
  const char *anchor[ANCHORS];
} builder;

lim_code lim_tree_error(lim_error *err, const lim_node *at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  lim_error_addv(err, LIM_BAD_INPUT, at->source, at->line, at->column, format, args);
  va_end(args);
  return LIM_BAD_INPUT;
}

lim_node *lim_tree_get(const lim_node *mapping, const char *key) {
  if (!mapping || mapping->kind != LIM_MAPPING) return NULL;
  for (int i = 0; i < mapping->count; i++)
    if (!strcmp(mapping->key[i]->text, key)) return mapping->item[i];
  return NULL;
}

static void no_memory(builder *b) {
  b->code = lim_error_add(b->err, LIM_NO_MEMORY, NULL, 0, 0, "out of memory");
}

static lim_node *node_new(builder *b, lim_node_kind kind, const struct fy_mark *mark) {
  if (++b->nodes > LIM_TREE_NODES) {
    b->code = lim_error_add(b->err, LIM_BAD_INPUT, b->source, 0, 0,
                            "the file has more than %d entries, more than any model needs", LIM_TREE_NODES);
    return NULL;
  }
  lim_node *node = lim_arena_take(b->arena, sizeof *node);
  if (!node) {
    no_memory(b);
    return NULL;
  }
  node->kind = kind;
  node->source = b->source;
  node->line = mark ? mark->line + 1 : 1;
  node->column = mark ? mark->column + 1 : 1;
  return node;
}

bool lim_tree_append(lim_arena *arena, lim_node *parent, lim_node *key, lim_node *item) {
  int n = parent->count;
  if (!(n & (n - 1))) { // arrays double when the count is a power of two
    size_t room = n ? 2 * (size_t)n : 1;
    lim_node **items = lim_arena_array(arena, room, sizeof *items);
    lim_node **keys = lim_arena_array(arena, room, sizeof *keys);
    if (!items || !keys) return false;
    if (n) memcpy(items, parent->item, (size_t)n * sizeof *items);
    if (n) memcpy(keys, parent->key, (size_t)n * sizeof *keys);
    parent->item = items;
    parent->key = keys;
  }
  parent->key[n] = key;
  parent->item[n] = item;
  parent->count++;
  return true;
}

static void check_key(builder *b, const lim_node *mapping, const lim_node *key) {
  if (key->kind != LIM_SCALAR) {
    b->code = lim_tree_error(b->err, key, "a key must be a plain word, not a list or a mapping");
    return;
  }
  if (mapping->count >= ENTRIES) {
    b->code = lim_tree_error(b->err, key, "a mapping may have at most %d entries", ENTRIES);
    return;
  }
  for (int i = 0; i < mapping->count; i++)
    if (!strcmp(mapping->key[i]->text, key->text)) {
      b->code = lim_tree_error(b->err, key, "key '%s' stands here a second time; the first is in line %d",
                               key->text, mapping->key[i]->line);
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
  if (!lim_tree_append(b->arena, parent, *key, node)) no_memory(b);
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
  if (!b->anchor[b->nanchor++]) no_memory(b);
}

static void scalar(builder *b, struct fy_event *event) {
  lim_node *node = node_new(b, LIM_SCALAR, fy_event_start_mark(event));
  if (!node) return;
  size_t length = 0;
  struct fy_token *token = event->scalar.value;
  const char *text = token ? fy_token_get_text(token, &length) : "";
  if (!text) text = "";
  if (memchr(text, 0, length)) {
    b->code = lim_tree_error(b->err, node, "a text may not hold a zero byte");
    return;
  }
  node->text = lim_arena_text(b->arena, text, length);
  node->quoted = token && fy_token_scalar_style(token) != FYSS_PLAIN;
  if (!node->text) {
    no_memory(b);
    return;
  }
  remember(b, event->scalar.anchor, node);
  place(b, node);
}

static void container(builder *b, struct fy_event *event, lim_node_kind kind, struct fy_token *anchor) {
  lim_node *node = node_new(b, kind, fy_event_start_mark(event));
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
  lim_node *node = node_new(b, from->kind, NULL);
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
      no_memory(b);
      return NULL;
    }
  }
  return node;
}

static void alias(builder *b, struct fy_event *event) {
  size_t length = 0;
  const char *text = fy_token_get_text(event->alias.anchor, &length);
  const struct fy_mark *mark = fy_event_start_mark(event);
  const lim_node here = {
      .source = b->source, .line = mark ? mark->line + 1 : 1, .column = mark ? mark->column + 1 : 1};
  for (int i = b->nanchor - 1; text && i >= 0; i--) {
    if (strlen(b->anchor[i]) != length || memcmp(b->anchor[i], text, length)) continue;
    for (int d = 0; d < b->depth; d++)
      if (b->open[d] == b->anchored[i]) {
        b->code =
            lim_tree_error(b->err, &here, "alias '%.*s' stands inside what it refers to", (int)length, text);
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
  switch (event->type) {
  case FYET_SCALAR: scalar(b, event); break;
  case FYET_ALIAS: alias(b, event); break;
  case FYET_MAPPING_START: container(b, event, LIM_MAPPING, event->mapping_start.anchor); break;
  case FYET_SEQUENCE_START: container(b, event, LIM_SEQUENCE, event->sequence_start.anchor); break;
  case FYET_MAPPING_END:
  case FYET_SEQUENCE_END: b->depth--; break;
  case FYET_DOCUMENT_START:
    if (b->root) {
      const struct fy_mark *mark = fy_event_start_mark(event);
      b->code = lim_error_add(b->err, LIM_BAD_INPUT, b->source, mark ? mark->line + 1 : 0, 1,
                              "a second document begins here; a model file holds one");
    }
    break;
  default: break;
  }
}

// Bytes that no model file holds: control characters and broken UTF-8 mean that it is not text.
static lim_code check_text(const char *text, size_t size, const char *source, lim_error *err) {
  int line = 1;
  size_t line_start = 0;
  for (size_t i = 0; i < size;) {
    unsigned char c = (unsigned char)text[i];
    int more = c < 0x80                ? 0
               : c >= 0xC2 && c < 0xE0 ? 1
               : c >= 0xE0 && c < 0xF0 ? 2
               : c >= 0xF0 && c < 0xF5 ? 3
                                       : -1;
    bool good =
        more >= 0 && i + (size_t)more < size && (c >= 0x20 || c == '\t' || c == '\n' || c == '\r') && c != 0x7F;
    for (int k = 1; good && k <= more; k++) good = ((unsigned char)text[i + (size_t)k] & 0xC0) == 0x80;
    if (!good)
      return lim_error_add(err, LIM_BAD_INPUT, source, line, (int)(i - line_start) + 1,
                           "byte 0x%02X is not text; a model file is UTF-8 text in YAML", c);
    if (c == '\n') {
      line++;
      line_start = i + 1;
    }
    i += (size_t)more + 1;
  }
  return LIM_OK;
}

static void discard(struct fy_diag *diag, void *user, const char *text, size_t length) {
  (void)diag, (void)user, (void)text, (void)length;
}

// libfyaml's own complaints, as ours.
static void report_syntax(builder *b, struct fy_diag *diag) {
  void *at = NULL;
  const struct fy_diag_error *e;
  while ((e = fy_diag_errors_iterate(diag, &at)))
    if (e->type == FYET_ERROR)
      b->code =
          lim_error_add(b->err, LIM_BAD_INPUT, b->source, e->line, e->column, "not valid YAML: %s", e->msg);
  if (b->code == LIM_OK) b->code = lim_error_add(b->err, LIM_BAD_INPUT, b->source, 0, 0, "not valid YAML");
}

static void build(builder *b, struct fy_parser *parser, struct fy_diag *diag) {
  for (bool done = false; !done && b->code == LIM_OK;) {
    struct fy_event *event = fy_parser_parse(parser);
    if (!event) {
      report_syntax(b, diag);
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
    return lim_error_add(err, LIM_BAD_INPUT, source, 0, 0,
                         "the file is larger than %d MiB, more than any model needs", LIM_FILE_SIZE >> 20);
  lim_code code = check_text(text, size, source, err);
  if (code != LIM_OK) return code;

  builder b = {.arena = arena, .source = source, .err = err};
  struct fy_diag_cfg config;
  fy_diag_cfg_default(&config);
  config.fp = NULL;
  config.output_fn = discard;
  struct fy_diag *diag = fy_diag_create(&config);
  if (diag) fy_diag_set_collect_errors(diag, true);
  struct fy_parse_cfg parse = {.flags = FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE,
                               .diag = diag};
  struct fy_parser *parser = diag ? fy_parser_create(&parse) : NULL;
  if (!parser || fy_parser_set_string(parser, text, size))
    no_memory(&b);
  else
    build(&b, parser, diag);
  if (parser) fy_parser_destroy(parser);
  if (diag) fy_diag_destroy(diag);
  if (b.code == LIM_OK && !b.root)
    b.code =
        lim_error_add(err, LIM_BAD_INPUT, source, 1, 1, "the file is empty; a model begins with 'limber: 1'");
  if (b.code == LIM_OK) *out = b.root;
  return b.code == LIM_OK && b.duplicate ? LIM_BAD_INPUT : b.code;
}

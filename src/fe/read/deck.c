// deck.c - lines of an input deck: keywords with their options, comments, files that are included.
#include "fe/read/deck.h"

#include "base/file.h"
#include "base/grow.h"
#include "base/text.h"
#include "fe/read/nodes_csv.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8, FILES = 1000 };

void lim_fe_deck_free(lim_fe_deck *d) {
  free(d->node);
  free(d->element);
  free(d->element_node);
  free(d->material);
  free(d->section);
  free(d->skipped);
  lim_fe_groups_free(&d->nsets);
  lim_fe_groups_free(&d->elsets);
  *d = (lim_fe_deck){0};
}

bool lim_fe_deck_add_node(lim_fe_deck *d, lim_lines *l, int id, const double x[3]) {
  if (!LIM_GROW(d->node, d->node_room, d->nnode)) {
    l->code = lim_no_memory(l->err);
    return false;
  }
  d->node[d->nnode] = (lim_fe_deck_node){id, (int)d->nnode, {l->path, l->line}, {x[0], x[1], x[2]}};
  d->nnode++;
  return true;
}

// --- keywords ---

// The next part of a keyword up to a comma, in capitals without blanks; value: what follows "=", without blanks
// and quotes around it, "" if nothing does. Returns what is behind the comma, NULL at the end.
static const char *part(char name[LIM_FE_NAME], char value[LIM_FE_NAME], const char *s) {
  const size_t whole = strcspn(s, ","), n = strcspn(s, ",=");
  size_t length = 0;
  for (size_t i = 0; i < n && length + 1 < LIM_FE_NAME; i++)
    if (!isspace((unsigned char)s[i])) name[length++] = (char)toupper((unsigned char)s[i]);
  name[length] = '\0';
  const char *v = s + (n < whole ? n + 1 : whole), *end = s + whole;
  while (v < end && strchr(" \t\"", *v)) v++;
  while (end > v && strchr(" \t\"", end[-1])) end--;
  snprintf(value, LIM_FE_NAME, "%.*s", (int)(end - v), v);
  return s[whole] ? s + whole + 1 : NULL;
}

void lim_fe_keyword_word(char out[LIM_FE_NAME], const lim_fe_keyword *k) {
  char value[LIM_FE_NAME];
  part(out, value, k->text + 1);
}

bool lim_fe_keyword_option(char out[LIM_FE_NAME], const lim_fe_keyword *k, const char *name) {
  char word[LIM_FE_NAME], value[LIM_FE_NAME];
  for (const char *s = part(word, value, k->text + 1); s;) {
    s = part(word, value, s);
    if (strcmp(word, name)) continue;
    if (out) memcpy(out, value, LIM_FE_NAME);
    return true;
  }
  return false;
}

// Add the line to the keyword; returns whether a further one continues it.
static bool append(lim_fe_keyword *k, lim_lines *l) {
  const size_t had = strlen(k->text);
  size_t n = strlen(l->text);
  while (n && isspace((unsigned char)l->text[n - 1])) n--;
  if (had + n >= sizeof k->text) return lim_lines_error(l, "the keyword is too long") == LIM_OK;
  memcpy(k->text + had, l->text, n);
  k->text[had + n] = '\0';
  return n && l->text[n - 1] == ',';
}

// The keyword of the line, and lines that continue it: behind a comma at its end, begun by a letter.
static void read_keyword(lim_fe_keyword *k, lim_lines *l) {
  k->text[0] = '\0';
  while (append(k, l) && lim_lines_next_of(l, "**"))
    if (!isalpha((unsigned char)l->text[0])) {
      l->again = true;
      return;
    }
}

// --- files ---

// The files that are being read, each included by the one before.
typedef struct source {
  const struct source *by;
  char *real; // where it lies
  int depth;
} source;

typedef struct {
  lim_fe_deck_reader r;
  char *above, *folder; // the deck's, as its path says and as it truly is
  const lim_hooks *hooks;
  int files;
} job;

static void read_lines(job *j, lim_lines *l, const source *from);

static bool leaves(const char *name) {
  for (const char *s = name; s; s = strchr(s, '/')) {
    s += *s == '/';
    if (!strncmp(s, "..", 2) && (!s[2] || s[2] == '/')) return true;
  }
  return name[0] == '/';
}

static bool being_read(const source *from, const char *real) {
  for (; from; from = from->by)
    if (!strcmp(from->real, real)) return true;
  return false;
}

static void read_included(job *j, lim_lines *l, const source *from, const char *path, char *real) {
  const source s = {from, real, from->depth + 1};
  lim_lines inner;
  if (lim_lines_open(&inner, path, l->what, j->hooks, l->err) == LIM_OK) read_lines(j, &inner, &s);
  l->code = inner.code;
  lim_lines_close(&inner);
}

// A file beside the deck; path lives as long as the mesh, whose messages name it.
static void open_included(job *j, lim_lines *l, const source *from, const char *name, const char *path) {
  char *real = lim_file_real(path);
  if (!real)
    l->code = lim_no_memory(l->err);
  else if (!lim_file_within(real, j->folder))
    lim_lines_error(l, "'%.200s' leads out of the folder of the deck", name);
  else if (being_read(from, real))
    lim_lines_error(l, "'%.200s' includes itself", name);
  else if (from->depth == DEPTH || j->files++ == FILES)
    lim_lines_error(l,
                    from->depth == DEPTH ? "files include each other more than %d deep"
                                         : "more than %d files are included",
                    from->depth == DEPTH ? DEPTH : FILES);
  else
    read_included(j, l, from, path, real);
  free(real);
}

static void include(job *j, lim_lines *l, const source *from, const lim_fe_keyword *k) {
  char name[LIM_FE_NAME];
  if (!lim_fe_keyword_option(name, k, "INPUT") || !name[0]) {
    lim_lines_error(l, "*INCLUDE needs INPUT=, the name of a file");
    return;
  }
  if (leaves(name)) {
    lim_lines_error(l, "'%.200s' leads out of the folder of the deck", name);
    return;
  }
  lim_text path = {0};
  lim_text_add(&path, "%s/%s", j->above, name);
  const char *kept = path.failed ? NULL : lim_arena_text(j->r.deck->arena, path.text, path.length);
  lim_text_free(&path);
  if (kept)
    open_included(j, l, from, name, kept);
  else
    l->code = lim_no_memory(l->err);
}

// Data lines go on behind a file that is included among them.
static void take_keyword(job *j, lim_lines *l, const source *from) {
  char word[LIM_FE_NAME];
  lim_fe_keyword k;
  read_keyword(&k, l);
  if (l->code != LIM_OK) return;
  lim_fe_keyword_word(word, &k);
  if (!strcmp(word, "INCLUDE")) {
    include(j, l, from, &k);
    return;
  }
  lim_fe_card_end(&j->r, l);
  j->r.keyword = k;
  j->r.card = lim_fe_card_find(word);
  j->r.row = 0;
  if (l->code == LIM_OK && j->r.card && j->r.card->begin) j->r.card->begin(&j->r, l);
}

static void read_lines(job *j, lim_lines *l, const source *from) {
  while (lim_lines_next_of(l, "**")) {
    if (l->text[0] == '*') {
      take_keyword(j, l, from);
    } else if (j->r.card && j->r.card->data) {
      j->r.card->data(&j->r, l);
      j->r.row++;
    }
  }
}

static void read_deck(lim_fe_deck *d, lim_lines *l, const lim_hooks *hooks) {
  job j = {.r = {.deck = d, .group = -1}, .hooks = hooks};
  char *real = lim_file_real(l->path);
  j.above = lim_file_folder(l->path);
  j.folder = j.above ? lim_file_real(j.above) : NULL;
  if (j.folder && real) {
    const source s = {NULL, real, 0};
    read_lines(&j, l, &s);
    if (l->code == LIM_OK) lim_fe_card_end(&j.r, l);
  } else {
    l->code = lim_no_memory(l->err);
  }
  free(j.above);
  free(real);
  free(j.folder);
}

// Behind comments of either kind.
static bool find_first(lim_lines *l) {
  while (lim_lines_next_of(l, "**"))
    if (l->text[0] != '#') return l->again = true;
  return false;
}

lim_code lim_fe_deck_read(lim_fe_deck *d, const char *path, const lim_hooks *hooks) {
  lim_lines l;
  const char *kept = lim_arena_text(d->arena, path, strlen(path));
  if (!kept) return lim_no_memory(d->err);
  lim_lines_open(&l, kept, "reading the nodes", hooks, d->err);
  if (l.code == LIM_OK && find_first(&l)) {
    if (l.text[0] == '*')
      read_deck(d, &l, hooks);
    else
      lim_fe_nodes_csv(d, &l);
  }
  if (l.code == LIM_OK && d->nnode == 0) lim_lines_error(&l, "the file has no nodes");
  const lim_code code = l.code;
  lim_lines_close(&l);
  return code;
}

// reduced_sources.c - sources of a reduced link: found, remembered, compared.
#include "fe/reduced_sources.h"

#include "base/file.h"
#include "base/text.h"
#include "fe/read/deck.h"
#include "model/tree.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { PIECE = 1 << 16, DEPTH = 8, FILES = 1000 }; // as the deck's reader has them

typedef struct {
  lim_fe_sources *out;
  lim_arena *arena;
  const char *directory; // of the model
  char *folder;          // of the reduced file, as it truly is
  lim_error *err;
} finder;

// --- one file ---

static double crc_of(FILE *file) {
  unsigned char piece[PIECE];
  uLong crc = crc32(0, NULL, 0);
  for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;) crc = crc32(crc, piece, (uInt)n);
  return (double)crc;
}

static void note_state(double number[LIM_FE_SOURCE_NUMBERS], const struct stat *info) {
  number[0] = (double)info->st_size;
  number[1] = (double)info->st_mtim.tv_sec;
  number[2] = (double)info->st_mtim.tv_nsec;
}

// The way from one folder to a file, both as they truly are; absolute where they have no folder in common.
static const char *way_to(lim_arena *arena, const char *folder, const char *real) {
  size_t i = 0, same = 0;
  for (; folder[i] && folder[i] == real[i]; i++)
    if (real[i] == '/') same = i + 1;
  if (!folder[i] && real[i] == '/') same = i + 1;
  if (same <= 1 && strcmp(folder, "/") != 0) return lim_arena_text(arena, real, strlen(real));
  lim_text way = {0};
  const char *rest = strlen(folder) > same ? folder + same : "";
  if (*rest) lim_text_add(&way, "../");
  for (; *rest; rest++)
    if (*rest == '/') lim_text_add(&way, "../");
  lim_text_add(&way, "%s", real + same);
  const char *kept = way.failed ? NULL : lim_arena_text(arena, way.text, way.length);
  lim_text_free(&way);
  return kept;
}

static bool is_listed(const lim_fe_sources *s, const char *name) {
  for (int i = 0; i < s->count; i++)
    if (!strcmp(s->item[i].name, name)) return true;
  return false;
}

// added: whether it was not listed yet.
static lim_code add(finder *f, const char *path, bool *added) {
  struct stat info;
  FILE *file = NULL;
  char *real = lim_file_real(path);
  const char *name = real ? way_to(f->arena, f->folder, real) : NULL;
  free(real);
  *added = false;
  if (!name) return lim_no_memory(f->err);
  if (is_listed(f->out, name)) return LIM_OK;
  lim_fe_source *list = lim_arena_grow(f->arena, f->out->item, (size_t)f->out->count, sizeof *list);
  if (!list) return lim_no_memory(f->err);
  f->out->item = list;
  lim_code code = lim_file_open(&file, path, "a file", false, f->err);
  if (code != LIM_OK) return code;
  lim_fe_source *s = &list[f->out->count];
  *s = (lim_fe_source){.name = name};
  if (!fstat(fileno(file), &info)) note_state(s->number, &info);
  s->number[3] = crc_of(file);
  if (ferror(file)) code = lim_error_add(f->err, LIM_IO, path, 0, 0, "cannot be read: %s", strerror(errno));
  fclose(file);
  if (code == LIM_OK) f->out->count++;
  *added = code == LIM_OK;
  return code;
}

// --- a deck, with what it includes ---

static lim_text join(const char *folder, const char *name) {
  lim_text path = {0};
  lim_text_add(&path, "%s%s%s", name[0] == '/' ? "" : folder, name[0] == '/' ? "" : "/", name);
  return path;
}

// The keyword of a line, with the line behind a comma at its end.
static void take_keyword(lim_fe_keyword *k, lim_lines *l) {
  const int n = snprintf(k->text, sizeof k->text, "%s", l->text);
  size_t length = n < (int)sizeof k->text ? (size_t)n : sizeof k->text - 1;
  while (length && isspace((unsigned char)k->text[length - 1])) length--;
  if (!length || k->text[length - 1] != ',' || !lim_lines_next_of(l, "**")) return;
  l->again = l->text[0] == '*';
  if (!l->again) snprintf(k->text + length, sizeof k->text - length, "%s", l->text);
}

static lim_code add_deck(finder *f, const char *path, const char *above, int depth) {
  bool added;
  lim_lines l;
  lim_fe_keyword k;
  char word[LIM_FE_NAME];
  lim_code code = add(f, path, &added);
  if (code != LIM_OK || !added || depth > DEPTH || f->out->count > FILES) return code;
  code = lim_lines_open(&l, path, "reading the nodes", NULL, f->err);
  while (code == LIM_OK && lim_lines_next_of(&l, "**")) {
    if (l.text[0] != '*') continue;
    take_keyword(&k, &l);
    lim_fe_keyword_word(word, &k);
    if (strcmp(word, "INCLUDE") != 0 || !lim_fe_keyword_option(word, &k, "INPUT")) continue;
    lim_text inner = join(above, word);
    code = inner.failed ? lim_no_memory(f->err) : add_deck(f, inner.text, above, depth + 1);
    lim_text_free(&inner);
  }
  if (code == LIM_OK) code = l.code;
  lim_lines_close(&l);
  return code;
}

static lim_code add_named(finder *f, const char *name, bool deck) {
  bool added;
  if (!name) return LIM_OK;
  lim_text path = join(f->directory, name);
  char *above = path.failed ? NULL : lim_file_folder(path.text);
  lim_code code = !above ? lim_no_memory(f->err)
                  : deck ? add_deck(f, path.text, above, 0)
                         : add(f, path.text, &added);
  free(above);
  lim_text_free(&path);
  return code;
}

// --- keys ---

static void say_vector(lim_text *t, const char *key, const double x[3]) {
  if (!isnan(x[0])) lim_text_add(t, ", %s: [%.17g, %.17g, %.17g]", key, x[0], x[1], x[2]);
}

static void say_frames(lim_text *t, const lim_fe *fe) {
  lim_text_add(t, "frames:\n");
  for (int i = 0; i < fe->frames.count; i++) {
    const lim_fe_frame *x = &fe->frames.item[i];
    lim_text_add(t, "  %s: {coupling: %s", x->head.name, x->coupling == LIM_COUPLING_MEAN ? "mean" : "rigid");
    for (int k = 0; k < x->nodes.count; k++)
      lim_text_add(t, "%s%s", k ? ", " : ", nodes: [", x->nodes.item[k].text);
    if (x->nodes.count) lim_text_add(t, "]");
    say_vector(t, "xyz", x->xyz);
    say_vector(t, "rpy", x->rpy);
    lim_text_add(t, "}\n");
  }
}

static void say_prestressed(lim_text *t, const lim_fe *fe) {
  if (fe->prestressed.count) lim_text_add(t, "prestressed:\n");
  for (int i = 0; i < fe->prestressed.count; i++) {
    const lim_fe_prestressed *x = &fe->prestressed.item[i];
    lim_text_add(t, "  - {stiffness: %s", x->stiffness);
    if (x->dofs) lim_text_add(t, ", dofs: %s", x->dofs);
    if (x->at.text) lim_text_add(t, ", at: %s", x->at.text);
    say_vector(t, "force", x->force);
    say_vector(t, "spin", x->spin);
    lim_text_add(t, "}\n");
  }
}

static void say_file(lim_text *t, const char *key, const char *name) {
  if (name) lim_text_add(t, "%s: %s\n", key, name);
}

static void say_keys(lim_text *t, const lim_model *m, const lim_link *link) {
  const lim_fe *fe = &link->fe;
  const lim_material *material = fe->material.text ? &m->materials.item[fe->material.index] : NULL;
  const bool reduced = fe->reduced.head.node;
  say_file(t, "stiffness", reduced ? fe->reduced.stiffness : fe->stiffness);
  say_file(t, "mass", reduced ? fe->reduced.mass : fe->mass);
  say_file(t, "dofs", fe->dofs);
  say_file(t, "nodes", fe->nodes);
  lim_text_add(t, "units: {length: %s, mass: %s}\n", fe->units.length ? fe->units.length : "m",
               fe->units.mass ? fe->units.mass : "kg");
  say_frames(t, fe);
  say_prestressed(t, fe);
  if (material) lim_text_add(t, "material: {E: %.17g, nu: %.17g}\n", material->E, material->nu);
  if (reduced)
    lim_text_add(t, "basis: {type: reduced}\n");
  else if (link->basis.type == LIM_BASIS_RIGID)
    lim_text_add(t, "basis: {type: rigid}\n");
  else if (isnan(link->basis.up_to))
    lim_text_add(t, "basis: {count: %d}\n", link->basis.count);
  else
    lim_text_add(t, "basis: {up_to: %.17g}\n", link->basis.up_to);
}

static lim_code keep_keys(lim_fe_sources *out, lim_arena *arena, const lim_model *m, const lim_link *link,
                          lim_error *err) {
  lim_text keys = {0};
  say_keys(&keys, m, link);
  out->keys = keys.failed ? NULL : lim_arena_text(arena, keys.text, keys.length);
  lim_text_free(&keys);
  return out->keys ? LIM_OK : lim_no_memory(err);
}

lim_code lim_fe_sources_find(lim_fe_sources *out, lim_arena *arena, const lim_model *m, const lim_link *link,
                             const char *folder, lim_error *err) {
  const lim_fe *fe = &link->fe;
  finder f = {.out = out, .arena = arena, .directory = m->origin.folder, .err = err};
  const char *const name[] = {fe->stiffness, fe->mass, fe->dofs, fe->reduced.mass, fe->reduced.stiffness};
  *out = (lim_fe_sources){0};
  f.folder = lim_file_real(folder);
  lim_code code = f.folder ? keep_keys(out, arena, m, link, err) : lim_no_memory(err);
  for (size_t i = 0; i < sizeof name / sizeof *name && code == LIM_OK; i++)
    code = add_named(&f, name[i], false);
  if (code == LIM_OK) code = add_named(&f, fe->nodes, true);
  for (int i = 0; i < fe->prestressed.count && code == LIM_OK; i++) {
    code = add_named(&f, fe->prestressed.item[i].stiffness, false);
    if (code == LIM_OK) code = add_named(&f, fe->prestressed.item[i].dofs, false);
  }
  free(f.folder);
  return code;
}

// --- whether they are the same ---

// One that is as large but was touched is read.
static bool differs(const lim_fe_source *s, const char *real) {
  struct stat info;
  double now[LIM_FE_SOURCE_NUMBERS] = {0};
  char why[LIM_FILE_WHY];
  if (stat(real, &info) || !S_ISREG(info.st_mode)) return false;
  note_state(now, &info);
  if (now[0] != s->number[0]) return true;
  if (now[1] == s->number[1] && now[2] == s->number[2]) return false;
  FILE *file = lim_file_try(real, "a file", false, why);
  if (!file) return false;
  const bool other = crc_of(file) != s->number[3];
  const bool known = !ferror(file);
  fclose(file);
  return known && other;
}

// A stranger's file could name any path: only what lies below the folders is looked at.
static lim_code check_one(const lim_fe_source *s, const char *folder, const char *const within[2],
                          const lim_link *link, lim_error *err) {
  lim_text path = join(folder, s->name);
  char *real = path.failed ? NULL : lim_file_real(path.text);
  lim_code code = real ? LIM_OK : lim_no_memory(err);
  if (real && (lim_file_within(real, within[0]) || lim_file_within(real, within[1])) && differs(s, real)) {
    const lim_node *at = lim_tree_get(link->fe.head.node, "file");
    const char *slash = strrchr(s->name, '/');
    code = lim_tree_error(err, at ? at : link->fe.head.node,
                          "'%.200s' was made from another %.200s (changed since): run 'limber reduce' again",
                          link->fe.file, slash ? slash + 1 : s->name);
  }
  free(real);
  lim_text_free(&path);
  return code;
}

lim_code lim_fe_sources_check(const lim_fe_sources *s, const char *folder, const char *directory,
                              const lim_link *link, lim_error *err) {
  char *a = lim_file_real(folder), *b = lim_file_real(directory);
  lim_code code = a && b ? LIM_OK : lim_no_memory(err);
  for (int i = 0; i < s->count && code == LIM_OK; i++)
    code = check_one(&s->item[i], a, (const char *const[2]){a, b}, link, err);
  free(a);
  free(b);
  return code;
}

// --- digest ---

static uLong add_text(uLong crc, const char *text) {
  return crc32(crc, (const Bytef *)text, (uInt)strlen(text) + 1);
}

void lim_fe_sources_digest(char out[LIM_FE_DIGEST], const lim_fe_sources *s, const char *const *names,
                           int count) {
  char number[64];
  uLong crc = add_text(crc32(0, NULL, 0), s->keys);
  for (int i = 0; i < s->count; i++) {
    snprintf(number, sizeof number, "%.0f %.0f", s->item[i].number[0], s->item[i].number[3]);
    crc = add_text(add_text(crc, s->item[i].name), number);
  }
  for (int i = 0; i < count; i++) crc = add_text(crc, names[i]);
  snprintf(out, LIM_FE_DIGEST, "crc32:%08lx", (unsigned long)crc);
}

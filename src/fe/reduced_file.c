// reduced_file.c - reduced links on disk. What is written and what is read is said once: each function below
// does either. Layout: docs/reference/reduced.md.
#include "fe/reduced_file.h"

#include "base/draft.h"
#include "base/file.h"
#include "base/hdf5/h5_both.h"
#include "base/text.h"
#include "fe/proof.h"
#include "fe/reduced_sources.h"
#include "model/tree.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char KIND[] = "reduced link";
static const int COORDINATES = 30000, PLACES = 100000, COUNT = 500000000; // most of each

// --- a link ---

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Places go by their names, of which the first is base.
static bool are_distinct(const char **name, int count, lim_arena *arena) {
  const char **sorted = lim_arena_array(arena, (size_t)count + 1, sizeof *sorted);
  if (!sorted || count == 0 || strcmp(name[0], "base") != 0) return false;
  memcpy(sorted, name, (size_t)count * sizeof *name);
  qsort(sorted, (size_t)count, sizeof *sorted, by_text);
  for (int i = 1; i < count; i++)
    if (!strcmp(sorted[i], sorted[i - 1])) return false;
  return sorted[0][0] != 0;
}

// A name as it is safe to show; NULL: out of memory.
static const char *clean(const char *name, lim_arena *arena) {
  char *copy = lim_arena_text(arena, name, strlen(name));
  if (copy) lim_text_clean(copy);
  return copy;
}

// What all places have, one behind the other.
typedef struct {
  const char **name;
  double *X, *R, *left, **N, **G;
  int *is; // frame, turns
} places;

static bool take_places(places *p, lim_both *b, lim_fe_link *x) {
  const size_t n = (size_t)x->nplace + 1;
  p->name = lim_arena_array(b->arena, n, sizeof *p->name);
  p->X = lim_arena_array(b->arena, 3 * n, sizeof *p->X);
  p->R = lim_arena_array(b->arena, 9 * n, sizeof *p->R);
  p->left = lim_arena_array(b->arena, 3 * n, sizeof *p->left);
  p->N = lim_arena_array(b->arena, n, sizeof *p->N);
  p->G = lim_arena_array(b->arena, 3 * n, sizeof *p->G);
  p->is = lim_arena_array(b->arena, 2 * n, sizeof *p->is);
  if (b->reading) x->place = lim_arena_array(b->arena, n, sizeof *x->place);
  return p->name && p->X && p->R && p->left && p->N && p->G && p->is && x->place;
}

static void gather_places(places *p, const lim_fe_link *x) {
  for (int i = 0; i < x->nplace; i++) {
    const lim_fe_place *from = &x->place[i];
    p->name[i] = from->name;
    p->N[i] = from->N;
    p->is[2 * i] = from->frame;
    p->is[2 * i + 1] = from->turns;
    memcpy(p->X + 3 * (size_t)i, from->X, sizeof from->X);
    memcpy(p->R + 9 * (size_t)i, from->R, sizeof from->R);
    memcpy(p->left + 3 * (size_t)i, from->left, sizeof from->left);
    memcpy(p->G + 3 * (size_t)i, from->G, sizeof from->G);
  }
}

static void spread_places(lim_fe_link *x, const places *p) {
  for (int i = 0; i < x->nplace; i++) {
    lim_fe_place *to = &x->place[i];
    *to = (lim_fe_place){.name = p->name[i], .N = p->N[i], .frame = p->is[2 * i], .turns = p->is[2 * i + 1]};
    memcpy(to->X, p->X + 3 * (size_t)i, sizeof to->X);
    memcpy(to->R, p->R + 9 * (size_t)i, sizeof to->R);
    memcpy(to->left, p->left + 3 * (size_t)i, sizeof to->left);
    memcpy(to->G, p->G + 3 * (size_t)i, sizeof to->G);
  }
}

static void exchange_places(lim_both *b, lim_fe_link *x) {
  places p;
  const lim_h5 outer = lim_both_enter(b, "places");
  lim_both_whole(b, "count", &x->nplace, PLACES);
  b->good = b->good && take_places(&p, b, x);
  if (b->good) {
    if (!b->reading) gather_places(&p, x);
    lim_both_texts(b, "name", p.name, x->nplace);
    p.X = lim_both_doubles(b, "position", "m", p.X, (lim_shape){x->nplace, 3, 1});
    p.R = lim_both_doubles(b, "axes", "", p.R, (lim_shape){x->nplace, 9, 1});
    p.left = lim_both_doubles(b, "left_out", "m/N", p.left, (lim_shape){x->nplace, 3, 1});
    p.is = lim_both_indices(b, "frame_turns", p.is, (lim_shape){x->nplace, 2, 1}, 2);
    lim_both_stack(b, "motion", "m, rad", p.N, x->nplace, 6, x->n);
    lim_both_stack_known(b, "second_order", "second_order_of", "m", p.G, 3 * x->nplace, x->n);
    for (int i = 0; i < x->nplace && b->good; i++) b->good = (p.name[i] = clean(p.name[i], b->arena)) != NULL;
    b->good = b->good && are_distinct(p.name, x->nplace, b->arena);
    if (b->good && b->reading) spread_places(x, &p);
  }
  lim_both_leave(b, outer);
}

static void exchange_inertia(lim_both *b, lim_fe_link *x) {
  const int n = x->n;
  const lim_h5 outer = lim_both_enter(b, "inertia");
  lim_both_fixed(b, "mass", "kg", LIM_BOTH_DOUBLE, &x->mass, 1);
  lim_both_fixed(b, "moment", "kg m", LIM_BOTH_DOUBLE, x->moment, 3);
  lim_both_fixed(b, "inertia", "kg m^2", LIM_BOTH_DOUBLE, x->inertia, 6);
  x->first = lim_both_doubles(b, "first", "kg m", x->first, (lim_shape){3, n, 1});
  x->second = lim_both_doubles(b, "second", "kg m^2", x->second, (lim_shape){3, n, 1});
  x->inertia1 = lim_both_doubles(b, "inertia_first", "kg m^2", x->inertia1, (lim_shape){6, n, 1});
  lim_both_stack(b, "products", "kg m^2", &x->S[0][0], 9, n, n);
  lim_both_leave(b, outer);
}

static void exchange_matrices(lim_both *b, lim_fe_link *x) {
  x->M = lim_both_doubles(b, "M", "kg m^2", x->M, (lim_shape){x->n, x->n, 1});
  x->K = lim_both_doubles(b, "K", "N m", x->K, (lim_shape){x->n, x->n, 1});
  lim_both_stack_known(b, "spin", "spin_of", "kg m^2", x->spin, 6, x->n);
}

static void exchange_facts(lim_both *b, lim_fe_link *x) {
  lim_fe_facts *f = &x->facts;
  const lim_h5 outer = lim_both_enter(b, "facts");
  lim_both_whole(b, "dofs", &f->dofs, INT_MAX);
  lim_both_whole(b, "nodes", &f->nodes, INT_MAX);
  lim_both_whole(b, "free", &f->nfree, LIM_FE_FREQUENCIES);
  lim_both_whole(b, "clamped", &f->nclamped, LIM_FE_FREQUENCIES);
  lim_both_fixed(b, "mass", "kg", LIM_BOTH_DOUBLE, &f->mass, 1);
  lim_both_fixed(b, "com", "m", LIM_BOTH_DOUBLE, f->com, 3);
  lim_both_fixed(b, "inertia", "kg m^2", LIM_BOTH_DOUBLE, f->inertia, 6);
  lim_both_fixed(b, "free_frequencies", "Hz", LIM_BOTH_DOUBLE_OR_NAN, f->free_hz, LIM_FE_FREQUENCIES);
  lim_both_fixed(b, "clamped_frequencies", "Hz", LIM_BOTH_DOUBLE_OR_NAN, f->clamped_hz, LIM_FE_FREQUENCIES);
  lim_both_fixed(b, "reduced_frequencies", "Hz", LIM_BOTH_DOUBLE_OR_NAN, f->reduced_hz, LIM_FE_FREQUENCIES);
  lim_both_fixed(b, "rigid_energy", "", LIM_BOTH_DOUBLE_OR_NAN, f->rigid_energy, 6);
  lim_both_fixed(b, "noise", "rad^2/s^2", LIM_BOTH_DOUBLE, &f->noise, 1);
  lim_both_fixed(b, "kept", "Hz", LIM_BOTH_DOUBLE_OR_NAN, &f->kept_hz, 1);
  lim_both_fixed(b, "left_out", "Hz", LIM_BOTH_DOUBLE_OR_NAN, &f->left_out_hz, 1);
  lim_both_fixed(b, "modal_mass", "", LIM_BOTH_DOUBLE_OR_NAN, f->modal_mass, 3);
  lim_both_fixed(b, "box", "m", LIM_BOTH_DOUBLE, f->box, 3);
  lim_both_fixed(b, "size", "m", LIM_BOTH_DOUBLE, &f->size, 1);
  lim_both_leave(b, outer);
}

static void exchange_skin(lim_both *b, lim_fe_link *x) {
  lim_fe_skin *s = &x->skin;
  const lim_h5 outer = lim_both_enter(b, "surface");
  lim_both_whole(b, "vertices", &s->nvertex, COUNT);
  lim_both_whole(b, "triangles", &s->ntriangle, COUNT);
  lim_both_whole(b, "edges", &s->nedge, COUNT);
  const bool stressed = lim_both_flag(b, "stresses", s->stress),
             strained = lim_both_flag(b, "strains", s->strain);
  const int n = x->n, nv = s->nvertex;
  s->id = lim_both_array(b, "node", "", LIM_BOTH_INT, s->id, (lim_shape){nv, 1, 1});
  s->X = lim_both_array(b, "position", "m", LIM_BOTH_FLOAT, s->X, (lim_shape){nv, 3, 1});
  s->triangle = lim_both_indices(b, "triangle", s->triangle, (lim_shape){s->ntriangle, 3, 1}, nv);
  s->edge = lim_both_indices(b, "edge", s->edge, (lim_shape){s->nedge, 2, 1}, nv);
  s->shape = lim_both_array(b, "shape", "m", LIM_BOTH_FLOAT, s->shape, (lim_shape){n, nv, 3});
  if (stressed) s->stress = lim_both_array(b, "stress", "Pa", LIM_BOTH_FLOAT, s->stress, (lim_shape){n, nv, 6});
  if (strained) s->strain = lim_both_array(b, "strain", "", LIM_BOTH_FLOAT, s->strain, (lim_shape){n, nv, 6});
  lim_both_leave(b, outer);
}

static void exchange_strains(lim_both *b, lim_fe_link *x) {
  lim_fe_strains *s = &x->strains;
  const lim_h5 outer = lim_both_enter(b, "elements");
  lim_both_whole(b, "count", &s->count, COUNT);
  s->id = lim_both_array(b, "id", "", LIM_BOTH_INT, s->id, (lim_shape){s->count, 1, 1});
  s->E = lim_both_array(b, "modulus", "Pa", LIM_BOTH_DOUBLE_OR_NAN, s->E, (lim_shape){s->count, 1, 1});
  s->strain = lim_both_array(b, "strain", "", LIM_BOTH_FLOAT, s->strain, (lim_shape){s->count, x->n, 12});
  lim_both_leave(b, outer);
}

// name, all: (count) and four of each; scratch, or where to read to.
static void exchange_files(lim_both *b, lim_fe_sources *s, const char **name, double *all) {
  const size_t numbers = LIM_FE_SOURCE_NUMBERS;
  for (int i = 0; !b->reading && i < s->count; i++) {
    name[i] = s->item[i].name;
    memcpy(all + numbers * (size_t)i, s->item[i].number, sizeof s->item[i].number);
  }
  lim_both_texts(b, "name", name, s->count);
  all = lim_both_doubles(b, "bytes_s_ns_crc32", "", all, (lim_shape){s->count, LIM_FE_SOURCE_NUMBERS, 1});
  for (int i = 0; b->good && all && b->reading && i < s->count; i++) {
    s->item[i].name = name[i];
    memcpy(s->item[i].number, all + numbers * (size_t)i, sizeof s->item[i].number);
  }
}

static void exchange_sources(lim_both *b, lim_fe_sources *s) {
  const lim_h5 outer = lim_both_enter(b, "sources");
  lim_both_whole(b, "count", &s->count, PLACES);
  const size_t count = (size_t)s->count + 1;
  const char **name = lim_arena_array(b->arena, count, sizeof *name);
  double *all = lim_arena_array(b->arena, count, LIM_FE_SOURCE_NUMBERS * sizeof *all);
  if (b->reading) s->item = lim_arena_array(b->arena, count, sizeof *s->item);
  if (name && all && s->item)
    exchange_files(b, s, name, all);
  else
    b->good = false;
  if (b->good && !b->reading) b->good = lim_h5_text(b->at, "keys", s->keys);
  if (b->good && b->reading) b->good = (s->keys = lim_h5_get_text(b->at, "keys", b->arena)) != NULL;
  lim_both_leave(b, outer);
}

// Names are not protected by checksums of HDF5.
static void exchange_digest(lim_both *b, lim_fe_link *x, const lim_fe_sources *s) {
  char digest[LIM_FE_DIGEST];
  const char **name = lim_arena_array(b->arena, (size_t)x->nplace + 1, sizeof *name);
  b->good = b->good && name;
  for (int i = 0; i < x->nplace && b->good; i++)
    b->good = (name[i] = clean(x->place[i].name, b->arena)) != NULL;
  if (!b->good) return;
  lim_fe_sources_digest(digest, s, name, x->nplace);
  if (!b->reading) {
    b->good = lim_h5_set_text(b->at, "digest", digest);
    return;
  }
  x->digest = lim_h5_get_text(b->at, "digest", b->arena);
  b->good = x->digest && !strcmp(x->digest, digest);
}

static bool exchange_all(lim_both *b, lim_fe_link *x, lim_fe_sources *s) {
  lim_both_whole(b, "coordinates", &x->n, COORDINATES);
  lim_both_whole(b, "modes", &x->modes, COORDINATES);
  b->good = b->good && x->modes <= x->n;
  if (b->good) exchange_places(b, x);
  if (b->good) exchange_inertia(b, x);
  if (b->good) exchange_matrices(b, x);
  if (b->good) exchange_facts(b, x);
  if (b->good) exchange_skin(b, x);
  if (b->good) exchange_strains(b, x);
  if (b->good) exchange_sources(b, s);
  if (b->good) exchange_digest(b, x, s);
  return b->good;
}

// --- write ---

static bool write_head(lim_h5 file, const char *link) {
  return lim_h5_set_number(file, "format", LIM_FE_FILE_FORMAT) && lim_h5_set_text(file, "kind", KIND) &&
         lim_h5_set_text(file, "version", LIM_VERSION) && lim_h5_set_text(file, "link", link);
}

static lim_code write_draft(const lim_draft *d, lim_arena *arena, lim_fe_sources *sources, const lim_link *link,
                            lim_error *err) {
  lim_fe_link x = *link->fe.link; // nothing of it is changed
  lim_code code = lim_h5_load(err);
  if (code != LIM_OK) return code;
  errno = 0;
  const lim_h5 file = lim_h5_create(d->part);
  lim_both b = {.good = file >= 0, .at = file, .arena = arena};
  bool good = b.good && write_head(file, link->head.name) && exchange_all(&b, &x, sources);
  if (!good) code = lim_write_error(d->part, err);
  if (!good && file >= 0) lim_h5_abandon(file);
  good &= lim_h5_close(file);
  if (!good && code == LIM_OK) code = lim_write_error(d->part, err);
  return code == LIM_OK ? lim_draft_keep(d, err) : code;
}

lim_code lim_fe_file_write(const char *path, const lim_model *m, const lim_link *link, lim_error *err) {
  lim_arena arena = {0};
  lim_draft draft = {0};
  lim_fe_sources sources;
  const char *slash = strrchr(path, '/');
  char *folder = lim_file_above(path);
  lim_code code = folder ? lim_fe_sources_find(&sources, &arena, m, link, folder, err) : lim_no_memory(err);
  if (code == LIM_OK) code = lim_draft_start(&draft, folder, slash ? slash + 1 : path, err);
  if (code == LIM_OK) code = write_draft(&draft, &arena, &sources, link, err);
  if (code != LIM_OK) lim_draft_drop(&draft);
  lim_draft_free(&draft);
  lim_arena_free(&arena);
  free(folder);
  return code;
}

// --- read ---

static const lim_node *key_of(const lim_link *link) {
  const lim_node *at = lim_tree_get(link->fe.head.node, "file");
  return at ? at : link->fe.head.node;
}

static lim_code refuse(const lim_link *link, lim_error *err, const char *why) {
  return lim_tree_error(err, key_of(link), "'%.200s' %s", link->fe.file, why);
}

// HDF5 would wait for the other end of a pipe.
static lim_code open_file(lim_h5 *out, const char *path, const lim_link *link, lim_error *err) {
  char why[LIM_FILE_WHY];
  const lim_node *at = key_of(link);
  FILE *file = lim_file_try(path, "a reduced link", false, why);
  if (!file)
    return lim_error_add(err, LIM_IO, at->source, at->line, at->column, "'%.200s' %s", link->fe.file, why);
  fclose(file);
  lim_code code = lim_h5_load(err);
  if (code != LIM_OK) return code;
  *out = lim_h5_open(path);
  return *out >= 0 ? LIM_OK : refuse(link, err, "is damaged, or no file of 'limber reduce'");
}

static lim_code check_head(lim_h5 file, lim_arena *arena, const lim_link *link, lim_error *err) {
  const char *kind = lim_h5_get_text(file, "kind", arena);
  const double format = lim_h5_get_number(file, "format");
  if (!kind || strcmp(kind, KIND) != 0) return refuse(link, err, "is no file of 'limber reduce'");
  if (format > LIM_FE_FILE_FORMAT) return refuse(link, err, "was made by a newer version of limber");
  return format == LIM_FE_FILE_FORMAT ? LIM_OK : refuse(link, err, "is damaged");
}

lim_code lim_fe_file_read(lim_fe_link *out, lim_arena *arena, const char *path, const char *directory,
                          const lim_link *link, lim_error *err) {
  lim_fe_sources sources = {0};
  lim_h5 file = -1;
  char *folder = lim_file_above(path);
  *out = (lim_fe_link){0};
  lim_code code = folder ? open_file(&file, path, link, err) : lim_no_memory(err);
  lim_both b = {.reading = true, .good = true, .at = file, .arena = arena};
  if (code == LIM_OK) code = check_head(file, arena, link, err);
  if (code == LIM_OK && !exchange_all(&b, out, &sources)) code = refuse(link, err, "is damaged");
  if (code == LIM_OK) code = lim_fe_sources_check(&sources, folder, directory, link, err);
  if (code == LIM_OK) code = lim_fe_prove_link(out, link, err);
  lim_h5_close(file);
  free(folder);
  return code;
}

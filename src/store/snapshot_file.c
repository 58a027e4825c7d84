// snapshot_file.c - an arm at rest or in vibration as one frame of result.h5.
#include "store/snapshot_file.h"
#include "path/assembly.h"

#include "math/rotation.h"
#include "store/archive.h"
#include "store/tables.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The arm of an analysis, and the same arm rigid and without loads, as a moment.
typedef struct {
  lim_arena arena;
  lim_arm *rigid;
  lim_snapshot moment;
} still;

// Joints have the same order in both systems.
static void copy_joints(double *rq, const lim_arm *rigid, const double *q, const lim_arm *s) {
  for (int i = 0, k = 0; i < s->nbody; i++) {
    if (s->bodies[i].q < 0) continue;
    while (k < rigid->nbody && rigid->bodies[k].q < 0) k++;
    if (k < rigid->nbody) rq[rigid->bodies[k++].q] = q[s->bodies[i].q];
  }
}

static lim_code start(still *x, const lim_rest *arm, const double *unloaded, lim_error *err) {
  const lim_arm *s = arm->s;
  *x = (still){.rigid = NULL};
  lim_code code = lim_arm_new(&x->rigid, s->model, true, err);
  if (code != LIM_OK) return code;
  size_t n = (size_t)s->n, nr = (size_t)x->rigid->n;
  double *zero = lim_arena_array(&x->arena, n + 2 * nr, sizeof *zero), *rq = zero + n + nr;
  lim_world_motion *body = lim_arena_array(&x->arena, (size_t)s->nbody, sizeof *body),
                   *reference = lim_arena_array(&x->arena, (size_t)x->rigid->nbody, sizeof *reference);
  if (!zero || !body || !reference) return lim_no_memory(err);
  copy_joints(rq, x->rigid, unloaded, s);
  lim_kinematics(body, s, arm->q, zero, zero);
  lim_kinematics(reference, x->rigid, rq, zero, zero);
  x->moment = (lim_snapshot){.system = s,
                             .rigid = x->rigid,
                             .q = arm->q,
                             .v = zero,
                             .a = zero,
                             .rq = rq,
                             .rv = zero,
                             .ra = zero,
                             .body = body,
                             .reference = reference};
  return LIM_OK;
}

static void finish(still *x) {
  lim_arm_free(x->rigid);
  lim_arena_free(&x->arena);
}

// --- modes ---

// Link axes to world; the largest displacement becomes 1, if there is one. Returns by what all was divided.
static double world_shape(double *displacement, double *turn, const lim_modes *r, const double *shape,
                          const lim_world_motion *body) {
  double largest = 0;
  for (int i = 0; i < r->links.count; i++) {
    const lim_mode_link *link = &r->links.item[i];
    const double *R = body[r->arm.s->first_body[link->index]].R;
    for (int k = link->first; k < link->first + link->nnode; k++) {
      lim_rotate(displacement + 3 * k, R, shape + 6 * k);
      lim_rotate(turn + 3 * k, R, shape + 6 * k + 3);
      largest = fmax(largest, sqrt(lim_dot(displacement + 3 * k, displacement + 3 * k)));
    }
  }
  if (!(largest > 1e-6)) return 1;
  for (int k = 0; k < 3 * r->nnode; k++) {
    displacement[k] /= largest;
    turn[k] /= largest;
  }
  return largest;
}

// How surfaces bend: their coordinates in every mode, on the scale of its nodes.
static bool write_coordinates(lim_h5 modes, still *x, const lim_modes *r, const lim_surface *of,
                              const double *scale) {
  char name[16];
  const int n = of->n, e = r->arm.s->bodies[of->body].e;
  float *row = lim_arena_array(&x->arena, (size_t)n * (size_t)r->modes.count + 1, sizeof *row);
  if (!row) return false;
  snprintf(name, sizeof name, "%d", of->link);
  for (int i = 0; i < r->modes.count; i++)
    for (int j = 0; j < n; j++) row[i * n + j] = (float)(r->modes.item[i].rates[e + j] / scale[i]);
  return lim_h5_pages(modes, name, "-", row, r->modes.count, 1, n);
}

static bool write_surfaces(lim_h5 modes, still *x, const lim_modes *r, const lim_skeleton *k,
                           const double *scale) {
  if (k->surfaces == 0) return true;
  lim_h5 group = lim_h5_group(modes, "coordinates");
  bool good = group >= 0;
  for (int i = 0; i < k->surfaces && good; i++)
    if (k->surface[i].n) good = write_coordinates(group, x, r, &k->surface[i], scale);
  lim_h5_group_close(group);
  return good;
}

static bool write_shapes(lim_h5 group, still *x, const lim_modes *r, double *scale) {
  lim_h5_list displacement = {.set = -1, .width = {r->nnode, 3}}, turn = displacement;
  double *row = lim_arena_array(&x->arena, 6 * (size_t)r->nnode, sizeof *row);
  bool good = row && lim_h5_list_start(&displacement, group, "displacement", "-", 1) &&
              lim_h5_list_start(&turn, group, "turn", "rad/m", 1);
  for (int i = 0; i < r->modes.count && good; i++) {
    scale[i] = world_shape(row, row + 3 * r->nnode, r, r->modes.item[i].shape, x->moment.body);
    good = lim_h5_list_add(&displacement, row, 1) && lim_h5_list_add(&turn, row + 3 * r->nnode, 1);
  }
  good &= lim_h5_list_end(&displacement);
  return lim_h5_list_end(&turn) && good;
}

static bool write_modes(lim_h5 file, still *x, const lim_modes *r, const lim_skeleton *k) {
  int n = r->modes.count;
  double *number = lim_arena_array(&x->arena, 3 * (size_t)n, sizeof *number);
  const char **kind = lim_arena_array(&x->arena, (size_t)n, sizeof *kind);
  bool good = number && kind && lim_h5_set_text(file, "joints", r->joints) &&
              lim_h5_set_number(file, "rigid_modes", r->rigid) &&
              lim_h5_set_number(file, "unstable_modes", r->unstable);
  if (!good || n == 0) return good;
  for (int i = 0; i < n; i++) {
    number[i] = r->modes.item[i].frequency;
    number[n + i] = r->modes.item[i].damping;
    kind[i] = r->modes.item[i].kind;
  }
  lim_h5 group = lim_h5_group(file, "modes");
  good = group >= 0 && lim_h5_doubles(group, "frequency", number, n) &&
         lim_h5_doubles(group, "damping", number + n, n) && lim_h5_texts(group, "kind", kind, n) &&
         write_shapes(group, x, r, number + 2 * n) && write_surfaces(group, x, r, k, number + 2 * n);
  lim_h5_group_close(group);
  return good;
}

// --- files ---

static lim_code write_summary(const char *directory, const char *summary, lim_error *err) {
  lim_draft draft = {NULL, NULL};
  lim_code code = lim_draft_start(&draft, directory, "summary.json", err);
  if (code == LIM_OK) code = lim_draft_write(&draft, summary, err);
  lim_draft_free(&draft);
  return code;
}

// One of both is there.
typedef struct {
  const lim_static *s;
  const lim_modes *m;
} answer;

static bool write_answer(lim_archive *a, still *x, answer y) {
  return lim_frames_file_add(&a->shapes, &x->moment, y.s ? y.s->inner : NULL) &&
         (y.s || write_modes(a->file, x, y.m, a->shapes.skeleton));
}

static lim_code write_archive(lim_archive *a, still *x, const lim_recorder_setup *setup, answer y,
                              const char *tables, lim_error *err) {
  lim_code code = lim_archive_start(a, y.s ? "static" : "modes", setup, NULL, &x->moment, err);
  errno = 0;
  if (code == LIM_OK && !write_answer(a, x, y)) code = lim_write_error(a->draft.part, err);
  if (code == LIM_OK) code = lim_archive_close_snapshot(a, tables, err);
  if (code == LIM_OK) code = lim_draft_keep(&a->draft, err);
  if (code != LIM_OK) lim_draft_drop(&a->draft);
  lim_archive_free(a);
  return code;
}

static lim_code write_folder(still *x, const lim_recorder_setup *setup, answer y, const char *tables,
                             const char *summary, lim_error *err) {
  int lock;
  lim_archive a;
  lim_code code = lim_directory_make(setup->directory, err);
  if (code == LIM_OK) code = lim_directory_lock(&lock, setup->directory, err);
  if (code != LIM_OK) return code;
  code = write_archive(&a, x, setup, y, tables, err);
  if (code == LIM_OK) code = write_summary(setup->directory, summary, err);
  lim_directory_unlock(lock);
  return code;
}

static lim_code write_still(const lim_recorder_setup *setup, answer y, lim_text *tables, const char *summary,
                            lim_error *err) {
  still x;
  if (!y.s && !y.m) return LIM_FAIL(err, LIM_FAILED, "there is nothing to write");
  lim_code code = y.s ? start(&x, &y.s->arm, y.s->unloaded, err) : start(&x, &y.m->arm, y.m->unloaded, err);
  if (code == LIM_OK && tables->failed) code = lim_no_memory(err);
  if (code == LIM_OK) code = write_folder(&x, setup, y, tables->text, summary, err);
  finish(&x);
  lim_text_free(tables);
  return code;
}

lim_code lim_snapshot_file_write_static(const lim_recorder_setup *setup, const lim_static *s,
                                        const char *summary, lim_error *err) {
  lim_text tables = {0};
  lim_tables_of_static(&tables, s);
  return write_still(setup, (answer){.s = s}, &tables, summary, err);
}

lim_code lim_snapshot_file_write_modes(const lim_recorder_setup *setup, const lim_modes *m, const char *summary,
                                       lim_error *err) {
  lim_text tables = {0};
  lim_tables_of_modes(&tables, m);
  return write_still(setup, (answer){.m = m}, &tables, summary, err);
}

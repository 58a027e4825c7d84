// frames.c - the group /shapes of result.h5. Layout: docs/reference/channels.md.
#include "store/frames.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  FRAMES = 16,
  TIMES = 1024,
  POSES = 7,
  ARMS = 2
}; // of a chunk; lists of three numbers per node, and of six per link

static const struct {
  const char *name, *unit;
} lists[LIM_SHAPE_LISTS] = {{"position", "m"},     {"rotation", "rad"}, {"reference", "m"},
                            {"displacement", "m"}, {"turn", "rad"},     {"deflection", "m"},
                            {"bend", "rad"},       {"rigid", "m, rad"}, {"lagging", "m, rad"},
                            {"stress", "Pa"},      {"strain", "-"}};

lim_frames_file lim_frames_file_none(void) {
  lim_frames_file f = {.time = {.set = -1}};
  for (int i = 0; i < LIM_SHAPE_LISTS; i++) f.list[i] = (lim_h5_list){.set = -1, .single = true};
  return f;
}

static int width_of(const lim_h5_list *l) { return l->width[0] * (l->width[1] ? l->width[1] : 1); }

static bool take_surfaces(lim_frames_file *f) {
  const lim_skeleton *k = f->skeleton;
  f->coordinates = calloc((size_t)k->surfaces + 1, sizeof *f->coordinates);
  f->etas = calloc((size_t)k->surfaces + 1, sizeof *f->etas);
  f->eta = calloc((size_t)k->surfaces + 1, sizeof *f->eta);
  bool taken = f->coordinates && f->etas && f->eta;
  for (int i = 0; i < k->surfaces && taken; i++) {
    f->coordinates[i] = (lim_h5_list){.set = -1, .single = true, .width = {k->surface[i].n}};
    f->etas[i] = malloc((FRAMES * (size_t)k->surface[i].n + 1) * sizeof **f->etas);
    taken = f->etas[i];
  }
  return taken;
}

lim_code lim_frames_file_start(lim_frames_file *f, const lim_snapshot *m, lim_error *err) {
  lim_code code = lim_skeleton_new(&f->skeleton, m->system, m->rigid, err);
  if (code != LIM_OK) return code;
  f->times = malloc(FRAMES * sizeof *f->times);
  bool taken = f->times != NULL;
  for (int i = 0; i < LIM_SHAPE_LISTS; i++) {
    bool rigid = i >= POSES && i < POSES + ARMS;
    f->list[i].width[0] = rigid ? f->skeleton->links : f->skeleton->count;
    f->list[i].width[1] = i < POSES ? 3 : rigid ? 6 : 0;
    f->frame[i] = malloc(FRAMES * (size_t)width_of(&f->list[i]) * sizeof *f->frame[i]);
    taken = taken && f->frame[i];
  }
  return taken && take_surfaces(f) ? LIM_OK : lim_no_memory(err);
}

static bool write_names(lim_h5 group, const lim_skeleton *k, const lim_model *m) {
  const char **name = malloc((size_t)k->links * sizeof *name);
  if (!name) return false;
  for (int i = 0; i < k->links; i++) name[i] = m->links.item[k->index[i]].head.name;
  bool good = lim_h5_texts(group, "links", name, k->links);
  free((void *)name);
  return good;
}

// Of nodes in their link's axes, without deformation. Those of a beam that slides through its joint have none.
static bool write_places(lim_h5 group, const lim_skeleton *k) {
  lim_h5_list list = {.set = -1, .width = {3}};
  bool good = lim_h5_list_start(&list, group, "place", "m", k->count);
  static const double none[3] = {NAN, NAN, NAN};
  for (int i = 0; i < k->count && good; i++)
    good = lim_h5_list_add(&list, k->slides[i] ? none : k->reference[i].section.X, 1);
  return lim_h5_list_end(&list) && good;
}

// Vertices, faces and how they move and strain with its coordinates.
static bool write_surface(lim_h5 group, lim_h5_list *coordinates, const lim_surface *x) {
  const lim_fe_skin *k = &x->skin;
  const int count = k->nvertex;
  bool good = lim_h5_set_number(group, "vertices", x->whole) && lim_h5_ints(group, "node", k->id, count) &&
              lim_h5_pages(group, "vertex", "m", k->X, 1, count, 3) &&
              (!k->ntriangle || lim_h5_int_rows(group, "triangle", k->triangle, k->ntriangle, 3)) &&
              (!k->nedge || lim_h5_int_rows(group, "edge", k->edge, k->nedge, 2));
  if (!good || x->n == 0) return good;
  return lim_h5_pages(group, "shape", "m", k->shape, x->n, count, 3) &&
         (!k->strain || lim_h5_pages(group, "strain", "-", k->strain, x->n, count, 6)) &&
         (!x->shear || lim_h5_pages(group, "shear_modulus", "Pa", x->shear, 1, count, 1)) &&
         lim_h5_list_start(coordinates, group, "coordinates", "-", FRAMES);
}

// Each in a group with the number of its link.
static bool write_surfaces(lim_frames_file *f, lim_h5 shapes) {
  const lim_skeleton *k = f->skeleton;
  if (k->surfaces == 0) return true;
  lim_h5 all = lim_h5_group(shapes, "surfaces");
  bool good = all >= 0;
  for (int i = 0; i < k->surfaces && good; i++) {
    char name[16];
    snprintf(name, sizeof name, "%d", k->surface[i].link);
    lim_h5 group = lim_h5_group(all, name);
    good = group >= 0 && write_surface(group, &f->coordinates[i], &k->surface[i]);
    lim_h5_group_close(group);
  }
  lim_h5_group_close(all);
  return good;
}

bool lim_frames_file_create(lim_frames_file *f, lim_h5 file, const lim_model *m) {
  const lim_skeleton *k = f->skeleton;
  lim_h5 group = lim_h5_group(file, "shapes");
  bool good = group >= 0 && write_names(group, k, m) && lim_h5_ints(group, "link", k->link, k->count) &&
              lim_h5_doubles(group, "x", k->x, k->count) && write_places(group, k) &&
              lim_h5_list_start(&f->time, group, "time", "s", TIMES);
  for (int i = 0; i < LIM_SHAPE_LISTS && good; i++)
    good = lim_h5_list_start(&f->list[i], group, lists[i].name, lists[i].unit, FRAMES);
  good = good && write_surfaces(f, group);
  lim_h5_group_close(group);
  return good;
}

bool lim_frames_file_flush(lim_frames_file *f) {
  bool good = lim_h5_list_add(&f->time, f->times, f->waiting);
  for (int i = 0; i < LIM_SHAPE_LISTS && good; i++)
    good = lim_h5_list_add(&f->list[i], f->frame[i], f->waiting);
  for (int i = 0; i < f->skeleton->surfaces && good; i++)
    if (f->coordinates[i].set >= 0) good = lim_h5_list_add(&f->coordinates[i], f->etas[i], f->waiting);
  f->waiting = 0;
  return good;
}

bool lim_frames_file_add(lim_frames_file *f, const lim_snapshot *m, const lim_section_forces *inner) {
  float *at[LIM_SHAPE_LISTS];
  for (int i = 0; i < LIM_SHAPE_LISTS; i++) at[i] = f->frame[i] + f->waiting * width_of(&f->list[i]);
  lim_frame_data frame = {at[0], at[1], at[2], at[3], at[4],  at[5],
                          at[6], at[7], at[8], at[9], at[10], f->eta}; // in the order of lists
  for (int i = 0; i < f->skeleton->surfaces; i++)
    f->eta[i] = f->etas[i] + f->waiting * f->skeleton->surface[i].n;
  lim_skeleton_pose(&frame, f->skeleton, m, inner);
  f->times[f->waiting++] = m->t;
  return f->waiting < FRAMES || lim_frames_file_flush(f);
}

bool lim_frames_file_end(lim_frames_file *f) {
  bool good = lim_h5_list_end(&f->time);
  for (int i = 0; i < LIM_SHAPE_LISTS; i++) good &= lim_h5_list_end(&f->list[i]);
  for (int i = 0; f->coordinates && i < f->skeleton->surfaces; i++) good &= lim_h5_list_end(&f->coordinates[i]);
  return good;
}

void lim_frames_file_free(lim_frames_file *f) {
  for (int i = 0; f->etas && i < f->skeleton->surfaces; i++) free(f->etas[i]);
  free((void *)f->etas);
  free((void *)f->eta);
  free(f->coordinates);
  lim_skeleton_free(f->skeleton);
  free(f->times);
  for (int i = 0; i < LIM_SHAPE_LISTS; i++) free(f->frame[i]);
}

// frames.c - the group /shapes of result.h5. Layout: docs/reference/channels.md.
#include "store/frames.h"

#include <math.h>
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
  return taken ? LIM_OK : lim_no_memory(err);
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

bool lim_frames_file_create(lim_frames_file *f, lim_h5 file, const lim_model *m) {
  const lim_skeleton *k = f->skeleton;
  lim_h5 group = lim_h5_group(file, "shapes");
  bool good = group >= 0 && write_names(group, k, m) && lim_h5_ints(group, "link", k->link, k->count) &&
              lim_h5_doubles(group, "x", k->x, k->count) && write_places(group, k) &&
              lim_h5_list_start(&f->time, group, "time", "s", TIMES);
  for (int i = 0; i < LIM_SHAPE_LISTS && good; i++)
    good = lim_h5_list_start(&f->list[i], group, lists[i].name, lists[i].unit, FRAMES);
  lim_h5_group_close(group);
  return good;
}

bool lim_frames_file_flush(lim_frames_file *f) {
  bool good = lim_h5_list_add(&f->time, f->times, f->waiting);
  for (int i = 0; i < LIM_SHAPE_LISTS && good; i++)
    good = lim_h5_list_add(&f->list[i], f->frame[i], f->waiting);
  f->waiting = 0;
  return good;
}

bool lim_frames_file_add(lim_frames_file *f, const lim_snapshot *m, const lim_section_forces *inner) {
  float *at[LIM_SHAPE_LISTS];
  for (int i = 0; i < LIM_SHAPE_LISTS; i++) at[i] = f->frame[i] + f->waiting * width_of(&f->list[i]);
  lim_frame_data frame = {at[0], at[1], at[2], at[3], at[4], at[5],
                          at[6], at[7], at[8], at[9], at[10]}; // in the order of lists
  lim_skeleton_pose(&frame, f->skeleton, m, inner);
  f->times[f->waiting++] = m->t;
  return f->waiting < FRAMES || lim_frames_file_flush(f);
}

bool lim_frames_file_end(lim_frames_file *f) {
  bool good = lim_h5_list_end(&f->time);
  for (int i = 0; i < LIM_SHAPE_LISTS; i++) good &= lim_h5_list_end(&f->list[i]);
  return good;
}

void lim_frames_file_free(lim_frames_file *f) {
  lim_skeleton_free(f->skeleton);
  free(f->times);
  for (int i = 0; i < LIM_SHAPE_LISTS; i++) free(f->frame[i]);
}

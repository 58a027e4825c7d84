// load.c - a model from a file or from memory: bytes, tree, overrides, records, checks.
#include "model/schema.h"

#include "base/file.h"
#include "model/check/ignored.h"
#include "model/check/plausible.h"
#include "model/kinds.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// The whole file, or a message. A pipe will do; an endless device is refused by its size.
static lim_code slurp(char **text, size_t *size, const char *path, lim_error *err) {
  FILE *file;
  struct stat info;
  lim_code code = lim_file_open(&file, path, "a model file", true, err);
  if (code != LIM_OK) return code;
  size_t capacity = LIM_FILE_SIZE + 1, used = 0;
  if (!fstat(fileno(file), &info) && S_ISREG(info.st_mode) && (unsigned long long)info.st_size < capacity)
    capacity = (size_t)info.st_size + 1;
  char *bytes = code == LIM_OK ? malloc(capacity) : NULL;
  if (code == LIM_OK && !bytes) code = lim_no_memory(err);
  if (code == LIM_OK) used = fread(bytes, 1, capacity, file);
  if (code == LIM_OK && ferror(file))
    code = lim_error_add(err, LIM_IO, path, 0, 0, "cannot be read: %s", strerror(errno));
  fclose(file);
  if (code != LIM_OK) {
    free(bytes);
    return code;
  }
  *text = bytes;
  *size = used;
  return LIM_OK;
}

// The folders from which a model may read, as they truly are.
static lim_code fill_allowed(lim_model *m, const lim_model_setup *setup, lim_error *err) {
  m->allow.item = lim_arena_array(&m->arena, (size_t)setup->nallow, sizeof *m->allow.item);
  if (!m->allow.item) return lim_no_memory(err);
  for (int i = 0; i < setup->nallow; i++) {
    char real[PATH_MAX];
    if (!realpath(setup->allow[i], real))
      return LIM_FAIL(err, LIM_IO, "--allow '%.200s' cannot be read: %s", setup->allow[i], strerror(errno));
    m->allow.item[m->allow.count] = lim_arena_text(&m->arena, real, strlen(real));
    if (!m->allow.item[m->allow.count++]) return lim_no_memory(err);
  }
  return LIM_OK;
}

static bool has_finite_elements(const lim_model *m) {
  for (int i = 0; i < m->links.count; i++)
    if (m->links.item[i].fe.head.node) return true;
  return false;
}

// What of setup later versions added.
static const lim_hooks *hooks_of(const lim_model_setup *setup) {
  return setup->size >= sizeof *setup ? &setup->hooks : NULL;
}

// directory: where its files must be; NULL: not known yet, and where there are finite elements, the working
// directory.
static lim_code fill(lim_model *m, const char *text, size_t size, const char *source, const char *directory,
                     const lim_model_setup *setup, lim_error *err) {
  char buffer[64];
  lim_node *root;
  lim_code code = lim_yaml_parse(&root, &m->arena, text, size, source, err), set_code = LIM_OK;
  if (code == LIM_OK && !root)
    return lim_error_add(err, LIM_BAD_INPUT, source, 1, 1,
                         "the file is empty; a model begins with 'limber: 1'");
  if (!root) return code;
  if (root->kind != LIM_MAPPING)
    return lim_tree_error(err, root, "this is %s; a model file is a mapping of keys to values, as 'limber: 1'",
                          lim_node_text(root, buffer));
  for (int i = 0; i < setup->nset; i++) {
    lim_code one = lim_tree_override(root, &m->arena, setup->set[i], err);
    if (one != LIM_OK) set_code = one;
  }
  if (set_code != LIM_OK) return set_code;
  lim_reader r = {.arena = &m->arena, .err = err};
  lim_read_model(&r, root, m);
  m->files = r.files;
  if (r.code != LIM_OK) code = r.code;
  if (code == LIM_NO_MEMORY) return code;
  const bool elements = has_finite_elements(m);
  lim_code found = directory || elements ? lim_model_check_files(m, directory ? directory : ".", err) : LIM_OK;
  if (elements && found == LIM_OK)
    found = lim_fe_load_reduced(m, directory, err); // names of frames are in them
  if (elements && found != LIM_OK) return found;
  lim_code resolved = lim_model_resolve(m, err);
  if (code == LIM_OK) code = resolved != LIM_OK ? resolved : found;
  if (code == LIM_OK && elements) code = lim_fe_load(m, directory, hooks_of(setup), err);
  if (code != LIM_OK) return code;
  lim_plausible(m, err);
  lim_ignored(m, err);
  return LIM_OK;
}

// Keep what the model was read from.
static bool remember(lim_model *m, const char *text, size_t size, const char *name, const char *directory,
                     const lim_model_setup *setup) {
  lim_arena *arena = &m->arena;
  const char *folder = directory ? directory : ".";
  const char **list = lim_arena_array(arena, (size_t)setup->nset + 1, sizeof *list);
  bool good = list != NULL;
  for (int i = 0; good && i < setup->nset; i++) {
    list[i] = lim_arena_text(arena, setup->set[i], strlen(setup->set[i]));
    good = list[i] != NULL;
  }
  m->origin = (lim_model_file){.path = lim_arena_text(arena, name, strlen(name)),
                               .folder = lim_arena_text(arena, folder, strlen(folder)),
                               .text = lim_arena_text(arena, text, size),
                               .size = size,
                               .loaded = directory != NULL,
                               .set = list,
                               .nset = setup->nset};
  return good && m->origin.path && m->origin.folder && m->origin.text;
}

static bool stands_after(const lim_note *a, const lim_note *b) {
  return a->line != b->line ? a->line > b->line : a->column > b->column;
}

// Overrides first, then the order of the file; messages at the same place stay in their order.
static void sort_notes(lim_error *err) {
  for (int i = 1; i < err->kept; i++) {
    lim_note note = err->note[i];
    int k = i;
    for (; k > 0 && stands_after(&err->note[k - 1], &note); k--) err->note[k] = err->note[k - 1];
    err->note[k] = note;
  }
}

// Pointers that must be given are, and so are all overrides and folders.
static lim_code check_request(bool given, const char *what, const lim_model_setup *setup, lim_error *err) {
  if (!given) return LIM_FAIL(err, LIM_BAD_INPUT, "%s must not be NULL", what);
  const int count[] = {setup->nset, setup->nallow};
  const char *const *const list[] = {setup->set, setup->allow};
  static const char *const name[] = {"override", "allowed folder"};
  for (int k = 0; k < 2; k++) {
    if (count[k] < 0)
      return LIM_FAIL(err, LIM_BAD_INPUT, "there are %d %ss, must be 0 or more", count[k], name[k]);
    for (int i = 0; i < count[k]; i++)
      if (!list[k] || !list[k][i]) return LIM_FAIL(err, LIM_BAD_INPUT, "%s %d is NULL", name[k], i);
  }
  return LIM_OK;
}

// directory: where its files must be; NULL: not known yet.
static lim_code make(lim_model **out, const char *text, size_t size, const char *name, const char *directory,
                     const lim_model_setup *setup, lim_error *err) {
  if (size > LIM_FILE_SIZE) // before it is copied
    return lim_error_add(err, LIM_BAD_INPUT, name, 0, 0, LIM_TOO_LARGE, LIM_FILE_SIZE >> 20);
  lim_model *m = calloc(1, sizeof *m);
  if (!m) return lim_no_memory(err);
  lim_error *said = &m->said;
  lim_code code =
      remember(m, text, size, name, directory, setup) ? fill_allowed(m, setup, said) : lim_no_memory(said);
  if (code == LIM_OK) code = fill(m, text, size, m->origin.path, directory, setup, said);
  sort_notes(said);
  lim_error_merge(err, said);
  if (code == LIM_OK)
    *out = m;
  else
    lim_model_free(m);
  return code;
}

lim_code lim_model_parse_with(lim_model **out, const char *text, long size, const char *name,
                              const lim_model_setup *setup, lim_error *err) {
  if (out) *out = NULL;
  lim_code asked = check_request(out && text && name && setup, "out, text, name and setup", setup, err);
  if (asked != LIM_OK || !out) return asked;
  if (size < 0) return LIM_FAIL(err, LIM_BAD_INPUT, "the text has %ld bytes, must have 0 or more", size);
  return make(out, text, (size_t)size, name, NULL, setup, err);
}

lim_code lim_model_load_with(lim_model **out, const char *path, const lim_model_setup *setup, lim_error *err) {
  if (out) *out = NULL;
  lim_code code = check_request(out && path && setup, "out, path and setup", setup, err);
  if (code != LIM_OK || !out) return code;
  char *text = NULL, *folder = lim_file_folder(path);
  size_t size = 0;
  code = folder ? slurp(&text, &size, path, err) : lim_no_memory(err);
  if (code == LIM_OK) code = make(out, text, size, path, folder, setup, err);
  free(text);
  free(folder);
  return code;
}

lim_code lim_model_parse(lim_model **out, const char *text, long size, const char *name, const char *const *set,
                         int nset, lim_error *err) {
  return lim_model_parse_with(out, text, size, name, &(lim_model_setup){.set = set, .nset = nset}, err);
}

lim_code lim_model_load(lim_model **out, const char *path, const char *const *set, int nset, lim_error *err) {
  return lim_model_load_with(out, path, &(lim_model_setup){.set = set, .nset = nset}, err);
}

lim_code lim_model_override(lim_model **out, const lim_model *model, const char *const *set, int nset,
                            lim_error *err) {
  lim_model_setup setup = {.set = set, .nset = nset};
  if (out) *out = NULL;
  lim_code code = check_request(out && model, "out and model", &setup, err);
  if (code != LIM_OK || !out) return code;
  const lim_model_file *from = &model->origin;
  const char **all = malloc(((size_t)from->nset + (size_t)nset + 1) * sizeof *all);
  if (!all) return lim_no_memory(err);
  for (int i = 0; i < from->nset + nset; i++) all[i] = i < from->nset ? from->set[i] : set[i - from->nset];
  setup = (lim_model_setup){
      .set = all, .nset = from->nset + nset, .allow = model->allow.item, .nallow = model->allow.count};
  code = make(out, from->text, from->size, from->path, from->loaded ? from->folder : NULL, &setup, err);
  free(all);
  return code;
}

void lim_model_free(lim_model *model) {
  if (!model) return;
  lim_arena_free(&model->arena);
  lim_error_clear(&model->said);
  free(model);
}

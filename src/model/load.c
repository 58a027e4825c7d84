// load.c - a model from a file or from memory: bytes, tree, overrides, records, checks.
#include "model/schema.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// The whole file, or a message. A directory, a pipe or an endless device is refused by what it is.
static lim_code slurp(char **text, size_t *size, const char *path, lim_error *err) {
  FILE *file = fopen(path, "rb");
  struct stat info;
  if (!file || fstat(fileno(file), &info)) {
    lim_error_add(err, LIM_IO, path, 0, 0, "cannot be read: %s", strerror(errno));
    if (file) fclose(file);
    return LIM_IO;
  }
  lim_code code = LIM_OK;
  if (S_ISDIR(info.st_mode)) code = lim_error_add(err, LIM_IO, path, 0, 0, "is a directory, not a model file");
  size_t room = LIM_FILE_SIZE + 1, used = 0;
  if (S_ISREG(info.st_mode) && (unsigned long long)info.st_size < room) room = (size_t)info.st_size + 1;
  char *bytes = code == LIM_OK ? malloc(room) : NULL;
  if (code == LIM_OK && !bytes) code = LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK) used = fread(bytes, 1, room, file);
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

static lim_code fill(lim_model *m, const char *text, size_t size, const char *name, const char *const *set,
                     int nset, lim_error *err) {
  char room[64];
  const char *source = lim_arena_text(&m->arena, name, strlen(name));
  if (!source) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_node *root;
  lim_code code = lim_yaml_parse(&root, &m->arena, text, size, source, err), set_code = LIM_OK;
  if (code == LIM_OK && !root)
    return lim_error_add(err, LIM_BAD_INPUT, source, 1, 1,
                         "the file is empty; a model begins with 'limber: 1'");
  if (!root) return code;
  if (root->kind != LIM_MAPPING)
    return lim_tree_error(err, root, "this is %s; a model file is a mapping of keys to values, as 'limber: 1'",
                          lim_node_text(root, room));
  for (int i = 0; i < nset; i++) {
    lim_code one = lim_tree_override(root, &m->arena, set[i], err);
    if (one != LIM_OK) set_code = one;
  }
  if (set_code != LIM_OK) return set_code;
  lim_reader r = {.arena = &m->arena, .err = err};
  lim_read_model(&r, root, m);
  if (r.code != LIM_OK) code = r.code;
  if (code == LIM_NO_MEMORY) return code;
  lim_code resolved = lim_model_resolve(m, err);
  return code != LIM_OK ? code : resolved;
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

lim_code lim_model_parse(lim_model **out, const char *text, long size, const char *name, const char *const *set,
                         int nset, lim_error *err) {
  *out = NULL;
  lim_model *m = calloc(1, sizeof *m);
  if (!m) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_code code = fill(m, text, (size_t)size, name, set, nset, err);
  if (code == LIM_OK)
    *out = m;
  else
    lim_model_free(m);
  if (err) sort_notes(err);
  return code;
}

lim_code lim_model_load(lim_model **out, const char *path, const char *const *set, int nset, lim_error *err) {
  *out = NULL;
  char *text = NULL;
  size_t size = 0;
  lim_code code = slurp(&text, &size, path, err);
  if (code != LIM_OK) return code;
  code = lim_model_parse(out, text, (long)size, path, set, nset, err);
  free(text);
  return code;
}

void lim_model_free(lim_model *model) {
  if (!model) return;
  lim_arena_free(&model->arena);
  free(model);
}

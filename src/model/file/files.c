// files.c - where the files lie that a model names: in its folder, or where the user allows it.
#include "model/model.h"

#include "base/file.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
  const lim_model *m;
  const char *directory;
  char *folder; // the same, as it truly is
  lim_error *err;
} checker;

static bool allowed(const checker *c, const char *real) {
  bool good = lim_file_within(real, c->folder);
  for (int i = 0; i < c->m->allow.count; i++) good = good || lim_file_within(real, c->m->allow.item[i]);
  return good;
}

// What to allow, as a shell takes it: the folder that is named; where a link leads outside, what it leads to.
static void add_folder(lim_text *out, const char *name, const char *path, const char *real) {
  const bool named = name[0] == '/' || strstr(name, "..");
  char *folder = lim_file_above(named ? path : real);
  const char *text = folder ? folder : "DIR";
  if (!strncmp(text, "./", 2)) text += 2;
  const bool plain = !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-")];
  lim_text_add(out, plain ? "%s" : "'%s'", text);
  free(folder);
}

static lim_code refuse(const checker *c, const lim_named_file *file, const char *path, const char *real) {
  lim_text folder = {0};
  const char *where = file->where ? file->where : "";
  add_folder(&folder, file->node->text, path, real);
  const lim_code code =
      folder.failed
          ? lim_no_memory(c->err)
          : lim_tree_error(c->err, file->node,
                           "%s%s'%.200s' is outside the model's folder; say --allow %.300s to let the "
                           "model read it",
                           where, *where ? ": " : "", file->node->text, folder.text);
  lim_text_free(&folder);
  return code;
}

// Where a file is that is named in a folder.
static lim_text path_of(const char *directory, const char *name) {
  const bool within = name[0] != '/';
  lim_text path = {0};
  lim_text_add(&path, "%s%s%s", within ? directory : "", within ? "/" : "", name);
  return path;
}

static lim_code check_file(const checker *c, const lim_named_file *file) {
  lim_text path = path_of(c->directory, file->node->text);
  char *real = path.failed ? NULL : lim_file_real(path.text);
  lim_code code = LIM_OK;
  if (!real)
    code = lim_no_memory(c->err);
  else if (!allowed(c, real))
    code = refuse(c, file, path.text, real);
  free(real);
  lim_text_free(&path);
  return code;
}

lim_code lim_model_check_files(const lim_model *m, const char *directory, lim_error *err) {
  if (!m->files) return LIM_OK;
  checker c = {.m = m, .directory = directory && *directory ? directory : ".", .err = err};
  c.folder = lim_file_real(c.directory);
  lim_code code = c.folder ? LIM_OK : lim_no_memory(err);
  for (const lim_named_file *f = m->files; f && code != LIM_NO_MEMORY; f = f->next) {
    const lim_code one = check_file(&c, f);
    if (one != LIM_OK) code = one;
  }
  free(c.folder);
  return code;
}

// --- what is read ---

static bool is_file(const char *path, const struct stat *file) {
  struct stat info;
  return path && !stat(path, &info) && info.st_dev == file->st_dev && info.st_ino == file->st_ino;
}

int lim_model_reads(const lim_model *m, const char *path) {
  struct stat file;
  if (!m || !path || stat(path, &file)) return 0;
  bool found = m->origin.loaded && is_file(m->origin.path, &file);
  for (const lim_named_file *f = m->files; f && !found; f = f->next) {
    lim_text named = path_of(m->origin.folder, f->node->text);
    found = named.failed || is_file(named.text, &file); // what cannot be told apart is not written over
    lim_text_free(&named);
  }
  return found;
}

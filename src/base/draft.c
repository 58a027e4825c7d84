// draft.c - files under a passing name until they are whole.
#include "base/draft.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

lim_code lim_write_error(const char *path, lim_error *err) {
  return lim_error_add(err, LIM_IO, path, 0, 0, "cannot be written: %s",
                       errno ? strerror(errno) : "the reason is not known");
}

static bool make_one(const char *path) {
  struct stat info;
  if (mkdir(path, 0777) == 0) return true;
  int reason = errno;
  bool there = stat(path, &info) == 0;
  errno = there && !S_ISDIR(info.st_mode) ? ENOTDIR : reason;
  return there && S_ISDIR(info.st_mode);
}

lim_code lim_directory_make(const char *path, lim_error *err) {
  size_t size = strlen(path) + 1;
  char *copy = malloc(size);
  if (copy) memcpy(copy, path, size);
  if (!copy) return lim_no_memory(err);
  bool made = true;
  for (char *slash = strchr(copy + (*copy == '/'), '/'); slash && made; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    made = make_one(copy);
    *slash = '/';
  }
  if (made) made = make_one(copy);
  free(copy);
  if (made) return LIM_OK;
  return lim_error_add(err, LIM_IO, path, 0, 0, "this folder cannot be made: %s", strerror(errno));
}

lim_code lim_directory_lock(int *lock, const char *path, lim_error *err) {
  *lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (*lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) == 0) return LIM_OK;
  const char *why = *lock >= 0 && errno == EWOULDBLOCK ? "another run is writing here" : strerror(errno);
  lim_error_add(err, LIM_IO, path, 0, 0, "this folder cannot be used: %s", why);
  if (*lock >= 0) close(*lock);
  return LIM_IO;
}

void lim_directory_unlock(int lock) { close(lock); }

lim_code lim_draft_start(lim_draft *d, const char *directory, const char *file, lim_error *err) {
  size_t size = strlen(directory) + strlen(file) + sizeof "/.part";
  d->name = malloc(size);
  d->part = malloc(size);
  if (!d->name || !d->part) {
    lim_draft_free(d);
    return lim_no_memory(err);
  }
  snprintf(d->name, size, "%s/%s", directory, file);
  snprintf(d->part, size, "%s/%s.part", directory, file);
  return LIM_OK;
}

lim_code lim_draft_keep(const lim_draft *d, lim_error *err) {
  return rename(d->part, d->name) == 0 ? LIM_OK : lim_write_error(d->name, err);
}

void lim_draft_drop(const lim_draft *d) {
  if (d->part) unlink(d->part);
}

void lim_draft_free(lim_draft *d) {
  free(d->name);
  free(d->part);
  *d = (lim_draft){NULL, NULL};
}

lim_code lim_draft_write(const lim_draft *d, const char *text, lim_error *err) {
  errno = 0;
  FILE *file = lim_file_create(d->part);
  if (!file) return lim_write_error(d->part, err);
  bool good = fputs(text, file) >= 0;
  if (fclose(file) != 0) good = false;
  if (good) return lim_draft_keep(d, err);
  lim_code code = lim_write_error(d->part, err);
  lim_draft_drop(d);
  return code;
}

// file.c - opening and making files.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *cannot_read(int fd, char why[LIM_FILE_WHY]) {
  snprintf(why, LIM_FILE_WHY, "cannot be read: %s", strerror(errno));
  if (fd >= 0) close(fd);
  return NULL;
}

FILE *lim_file_try(const char *path, const char *what, bool pipe, char why[LIM_FILE_WHY]) {
  struct stat info;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe that nobody writes to is empty
  if (fd < 0 || fstat(fd, &info)) return cannot_read(fd, why);
  if (S_ISDIR(info.st_mode) || (!S_ISREG(info.st_mode) && !pipe)) {
    const char *kind = S_ISDIR(info.st_mode) ? "directory" : "pipe or device";
    snprintf(why, LIM_FILE_WHY, "is a %s, not %s", kind, what);
    close(fd);
    return NULL;
  }
  if (fcntl(fd, F_SETFL, O_RDONLY) < 0) return cannot_read(fd, why); // reading waits again
  FILE *file = fdopen(fd, "rb");
  return file ? file : cannot_read(fd, why);
}

lim_code lim_file_open(FILE **out, const char *path, const char *what, bool pipe, lim_error *err) {
  char why[LIM_FILE_WHY];
  *out = lim_file_try(path, what, pipe, why);
  return *out ? LIM_OK : lim_error_add(err, LIM_IO, path, 0, 0, "%s", why);
}

FILE *lim_file_create(const char *path) {
  if (unlink(path) && errno != ENOENT) return NULL;
  return fopen(path, "wbx"); // not through a link that came in between
}

// --- places ---

// Whether the path is a name that the system gives to what is open: /dev/stdin, /dev/fd/63.
static bool names_stream(const char *path) { return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6); }

static char *copy_of(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char *lim_file_above(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? copy_of(path, slash == path ? 1 : (size_t)(slash - path)) : copy_of(".", 1);
}

char *lim_file_folder(const char *path) { return names_stream(path) ? copy_of(".", 1) : lim_file_above(path); }

// An absolute path and the part of another one below it that does not exist, as one.
static void walk(char *out, size_t size, const char *real, const char *rest) {
  size_t n;
  snprintf(out, size, "%s", real);
  for (rest += strspn(rest, "/"); *rest; rest += n + strspn(rest + n, "/")) {
    n = strcspn(rest, "/");
    char *end = strrchr(out, '/');
    const size_t used = strlen(out);
    if (n == 2 && !strncmp(rest, "..", 2))
      end[end == out] = '\0';
    else if (n != 1 || *rest != '.')
      snprintf(out + used, size - used, "%s%.*s", end[1] ? "/" : "", (int)n, rest);
  }
}

char *lim_file_real(const char *path) {
  char real[PATH_MAX];
  size_t n = strlen(path);
  char *begin = copy_of(path, n);
  if (!begin) return NULL;
  bool there;
  while (!(there = realpath(n ? begin : path[0] == '/' ? "/" : ".", real)) && n) {
    while (n && begin[n - 1] == '/') n--;
    while (n && begin[n - 1] != '/') n--;
    begin[n] = '\0';
  }
  if (!there) snprintf(real, sizeof real, "/(unknown)"); // the working directory was removed
  free(begin);
  const size_t capacity = strlen(real) + strlen(path + n) + 2;
  char *whole = malloc(capacity);
  if (whole) walk(whole, capacity, real, path + n);
  return whole;
}

bool lim_file_within(const char *real, const char *folder) {
  const size_t n = strlen(folder);
  return !strcmp(folder, "/") || (!strncmp(real, folder, n) && (!real[n] || real[n] == '/'));
}

// --- whole or not at all ---

static bool put(FILE *file, const void *bytes, size_t size) {
  return file && fwrite(size ? bytes : "", 1, size, file) == size;
}

// A pipe, a device such as /dev/stdout, or a link that leads nowhere yet, is not replaced but written to.
static bool write_through(const char *path, const void *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  bool good = put(file, bytes, size);
  int reason = errno;
  if (file && fclose(file)) return false;
  errno = reason;
  return good;
}

// Write beside the file, then put in its place. mode: permissions of the new file.
static bool write_whole(const char *path, const void *bytes, size_t size, mode_t mode) {
  size_t capacity = strlen(path) + 16;
  char *temporary = malloc(capacity);
  if (!temporary) return false;
  snprintf(temporary, capacity, "%s.XXXXXX", path);
  int fd = mkstemp(temporary);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
  bool good = put(file, bytes, size);
  int reason = errno;
  if (file && fclose(file) && good) {
    good = false;
    reason = errno;
  }
  if (good && (chmod(temporary, mode) || rename(temporary, path))) {
    good = false;
    reason = errno;
  }
  if (!good && fd >= 0) unlink(temporary);
  free(temporary);
  errno = reason;
  return good;
}

// Permissions that a new file has.
static mode_t new_mode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// A link stays, and what it leads to is replaced, or made.
lim_code lim_file_write(const char *path, const void *bytes, size_t size, lim_error *err) {
  struct stat there;
  if (!path || (!bytes && size)) return LIM_FAIL(err, LIM_BAD_INPUT, "path and bytes must not be NULL");
  bool exists = stat(path, &there) == 0 || lstat(path, &there) == 0;
  bool regular = exists && S_ISREG(there.st_mode);
  char *real = regular ? realpath(path, NULL) : NULL;
  bool good = exists && !regular
                  ? write_through(path, bytes, size)
                  : write_whole(real ? real : path, bytes, size, exists ? there.st_mode & 0777 : new_mode());
  if (!good) lim_error_add(err, LIM_IO, path, 0, 0, "cannot be written: %s", strerror(errno));
  free(real);
  return good ? LIM_OK : LIM_IO;
}

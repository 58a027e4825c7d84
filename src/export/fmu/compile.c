// compile.c - the binary of an FMU, by the system's C compiler.
#include "base/error.h"
#include "export/fmu/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ROOM = 400 };

// A passing folder with the sources, what the compiler makes of them and what it says.
typedef struct {
  char path[ROOM - 180];
} workshop;

static void place(char out[ROOM], const workshop *w, const char *name) {
  const char *slash = strrchr(name, '/');
  snprintf(out, ROOM, "%s/%s", w->path, slash ? slash + 1 : name);
}

static bool put(const workshop *w, const lim_fmu_file *f) {
  char path[ROOM];
  place(path, w, f->name);
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  bool good = fwrite(f->text.text, 1, f->text.length, file) == f->text.length;
  return fclose(file) == 0 && good;
}

static bool get(lim_text *to, const workshop *w, const char *name) {
  char path[ROOM], part[4096];
  place(path, w, name);
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  size_t n;
  while ((n = fread(part, 1, sizeof part, file)) > 0) lim_text_bytes(to, part, n);
  bool good = !ferror(file);
  fclose(file);
  return good;
}

static void take_away(const workshop *w, const char *name) {
  char path[ROOM];
  place(path, w, name);
  unlink(path);
}

// Run a program and wait for it, its words into a file. Its exit status; 127: there is no such program; -1: it
// did not come to an end by itself.
static int run(char *const *argument, const char *words) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions)) return -1;
  posix_spawn_file_actions_addopen(&actions, 1, words, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child;
  int failed = posix_spawnp(&child, argument[0], &actions, NULL, argument, environ), status = 0;
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return failed == ENOENT ? 127 : -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static lim_code say(int status, const workshop *w, lim_error *err) {
  static const char *const without = "--no-binary leaves the binary out";
  if (status == 127)
    return LIM_FAIL(err, LIM_FAILED, "the binary of an FMU needs a C compiler, and there is no cc; %s",
                    without);
  lim_text words = {0};
  get(&words, w, "words");
  lim_code code =
      LIM_FAIL(err, LIM_FAILED, "cc cannot make the binary of the FMU: %.*s; %s",
               words.text ? (int)strcspn(words.text, "\n") : 7, words.text ? words.text : "nothing", without);
  lim_text_free(&words);
  return code;
}

static lim_code compile(lim_text *library, const workshop *w, const char *first, const char *define,
                        lim_error *err) {
  char source[ROOM], out[ROOM], words[ROOM];
  place(source, w, first);
  place(out, w, "library");
  place(words, w, "words");
  // Nothing of this machine in it: no paths, no times, no names of debuggers.
  const char *const argument[] = {"cc",
                                  "-std=c99",
                                  "-O2",
                                  "-g0",
                                  "-fPIC",
                                  "-shared",
                                  "-fvisibility=hidden",
                                  "-ffp-contract=off",
                                  "-s",
                                  "-Wl,--build-id=none",
                                  "-Wl,--no-undefined",
                                  define,
                                  "-o",
                                  out,
                                  source,
                                  "-lm",
                                  NULL};
  int status = run((char *const *)argument, words);
  if (status != 0) return say(status, w, err);
  return get(library, w, "library") ? LIM_OK : LIM_FAIL(err, LIM_IO, "%s: cannot be read", out);
}

lim_code lim_fmu_compile(lim_text *library, const lim_fmu_file *source, int count, const char *define,
                         lim_error *err) {
#if !defined(__x86_64__) || !defined(__linux__)
  (void)library, (void)source, (void)count, (void)define;
  return LIM_FAIL(err, LIM_BAD_INPUT,
                  "binaries of FMUs are made on Linux x86-64; --no-binary leaves the binary out");
#else
  const char *folder = getenv("TMPDIR");
  workshop w;
  int n = snprintf(w.path, sizeof w.path, "%s/limber-XXXXXX", folder && *folder ? folder : "/tmp");
  if (n >= (int)sizeof w.path || !mkdtemp(w.path))
    return LIM_FAIL(err, LIM_IO, "%s: a passing folder cannot be made there",
                    folder && *folder ? folder : "/tmp");
  bool good = true;
  for (int i = 0; i < count && good; i++) good = put(&w, &source[i]);
  lim_code code = good ? compile(library, &w, source[0].name, define, err)
                       : LIM_FAIL(err, LIM_IO, "%s: cannot be written", w.path);
  for (int i = 0; i < count; i++) take_away(&w, source[i].name);
  take_away(&w, "library");
  take_away(&w, "words");
  rmdir(w.path);
  return code;
#endif
}

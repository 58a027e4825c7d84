// reduced_file.c - reduced links on disk.
#include "fe/reduced_file.h"

lim_code lim_fe_file_write(const char *path, const lim_link *link, const char *directory, lim_error *err) {
  (void)path, (void)link, (void)directory;
  return LIM_FAIL(err, LIM_FAILED, "not yet");
}

lim_code lim_fe_file_read(lim_fe_link *out, lim_arena *arena, const char *path, const lim_link *link,
                          lim_error *err) {
  (void)out, (void)arena, (void)path, (void)link;
  return LIM_FAIL(err, LIM_FAILED, "not yet");
}

// pack.c - files to a zip archive, by libzip.
#include "base/error.h"
#include "export/fmu/parts.h"
#include "export/fmu/zip_calls.h"

#include <time.h>

// The archive's times have no zone: the same clock everywhere.
static time_t fixed_time(void) {
  struct tm day = {.tm_year = 80, .tm_mon = 0, .tm_mday = 2, .tm_hour = 12, .tm_isdst = -1};
  return mktime(&day);
}

static bool add(zip_t *z, const lim_fmu_file *f) {
  zip_source_t *source = zip_source_buffer(z, f->text.text, f->text.length, 0);
  if (!source) return false;
  zip_int64_t at = zip_file_add(z, f->name, source, ZIP_FL_ENC_UTF_8);
  if (at < 0) {
    zip_source_free(source);
    return false;
  }
  zip_uint64_t index = (zip_uint64_t)at;
  return zip_file_set_mtime(z, index, fixed_time(), 0) == 0 &&
         zip_file_set_external_attributes(z, index, 0, ZIP_OPSYS_UNIX, 0100644u << 16) == 0;
}

lim_code lim_fmu_pack(const char *path, const lim_fmu_file *file, int count, lim_error *err) {
  lim_code code = lim_zip_load(err);
  if (code != LIM_OK) return code;
  int why;
  zip_t *z = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &why);
  if (!z) {
    zip_error_t e;
    zip_error_init_with_code(&e, why);
    code = LIM_FAIL(err, LIM_IO, "%s: cannot be written: %s", path, zip_error_strerror(&e));
    zip_error_fini(&e);
    return code;
  }
  bool good = true;
  for (int i = 0; i < count && good; i++) good = add(z, &file[i]);
  if (good && zip_close(z) == 0) return LIM_OK;
  code = LIM_FAIL(err, LIM_IO, "%s: cannot be written: %s", path, zip_strerror(z));
  zip_discard(z);
  return code;
}

// zip_calls.h - libzip, loaded when it is first needed (base/library/library.h): include this instead of its
// header. Inside src/export only.
#ifndef LIM_EXPORT_FMU_ZIP_CALLS_H
#define LIM_EXPORT_FMU_ZIP_CALLS_H

#include "base/library/library.h"

#include <zip.h>

// clang-format off
#define LIM_ZIP_CALLS(X)                                                                                      \
  X(zip_close) X(zip_discard) X(zip_error_fini) X(zip_error_init_with_code) X(zip_error_strerror)             \
  X(zip_file_add) X(zip_file_set_external_attributes) X(zip_file_set_mtime) X(zip_open)                       \
  X(zip_source_buffer) X(zip_source_free) X(zip_strerror)
// clang-format on

typedef struct {
  LIM_ZIP_CALLS(LIM_LIBRARY_POINTER)
} lim_zip_calls;

extern lim_zip_calls lim_zip;

// Before anything else of libzip. LIM_IO: it is not on this machine.
lim_code lim_zip_load(lim_error *err);

#define zip_close                        (*lim_zip.zip_close)
#define zip_discard                      (*lim_zip.zip_discard)
#define zip_error_fini                   (*lim_zip.zip_error_fini)
#define zip_error_init_with_code         (*lim_zip.zip_error_init_with_code)
#define zip_error_strerror               (*lim_zip.zip_error_strerror)
#define zip_file_add                     (*lim_zip.zip_file_add)
#define zip_file_set_external_attributes (*lim_zip.zip_file_set_external_attributes)
#define zip_file_set_mtime               (*lim_zip.zip_file_set_mtime)
#define zip_open                         (*lim_zip.zip_open)
#define zip_source_buffer                (*lim_zip.zip_source_buffer)
#define zip_source_free                  (*lim_zip.zip_source_free)
#define zip_strerror                     (*lim_zip.zip_strerror)

#endif

// zip_calls.c - the table of libzip's functions.
#include "export/fmu/zip_calls.h"

lim_zip_calls lim_zip;

static const char *const names[] = {LIM_ZIP_CALLS(LIM_LIBRARY_NAME)};

static lim_library library = {"libzip", LIM_ZIP_FILE, names, sizeof names / sizeof *names, 0, &lim_zip, false};

lim_code lim_zip_load(lim_error *err) { return lim_library_load(&library, err); }

// source.h - the texts of generated files. Inside src/export only.
#ifndef LIM_EXPORT_CODE_SOURCE_H
#define LIM_EXPORT_CODE_SOURCE_H

#include "export/code/generate.h"

void lim_source_header(lim_text *to, const lim_generated *g);
void lim_source_code(lim_text *to, const lim_generated *g);
void lim_source_main(lim_text *to, const lim_generated *g);
void lim_source_readme(lim_text *to, const lim_generated *g);

// A line of a comment; characters of names and titles that would end or continue it become '?'.
void lim_source_line(lim_text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Text with the name for every @ and the name in capitals for every $.
void lim_source_put(lim_text *to, const char *name, const char *text);

#endif

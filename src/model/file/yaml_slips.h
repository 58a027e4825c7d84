// yaml_slips.h - slips of writing that YAML takes for something else: what was probably meant.
#ifndef LIM_MODEL_FILE_YAML_SLIPS_H
#define LIM_MODEL_FILE_YAML_SLIPS_H

#include <stdbool.h>
#include <stddef.h>

enum { LIM_SLIP = 128 }; // bytes of a hint

// What is wrong with a line (from 1) at which a text ceases to be YAML: a message, and the column it is about.
// False: nothing that is known.
bool lim_slip_of_line(char message[LIM_SLIP], int *column, const char *text, size_t size, int line);

// What the YAML parser says, in words for who wrote the model.
const char *lim_slip_of_yaml(const char *reason);

// "; ..." to go behind a message about a text that stands where an entry must ("name:arm", "mass = 1", the 5 of
// "0,5"), or a number ("0,5", "kg", "1 000"); "" where nothing is known.
const char *lim_slip_of_entry(char buffer[LIM_SLIP], const char *text);
const char *lim_slip_of_number(char buffer[LIM_SLIP], const char *text);

// Bytes of the key in "name:arm" and "mass = 1"; 0: the text is not of this form.
size_t lim_slip_key(const char *text);

#endif

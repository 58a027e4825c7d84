// json.h - writes JSON into a growing text: commas, quotes, escapes and indentation are its care.
#ifndef LIM_BASE_JSON_H
#define LIM_BASE_JSON_H

#include "base/text.h"

typedef struct {
  lim_text *out;
  int depth;
  bool first; // no entry yet in the innermost object or list
  bool keyed; // a key was just written, its value follows
  int flat;   // depth at which everything below goes on one line; 0: nowhere
  bool html;  // '>' and '&' are escaped as well as '<': goes into a page
} lim_json;

lim_json lim_json_start(lim_text *out);

void lim_json_object(lim_json *j);            // {
void lim_json_list(lim_json *j);              // [
void lim_json_flat(lim_json *j);              // [ with all entries on one line
void lim_json_end(lim_json *j, char bracket); // '}' or ']'
void lim_json_key(lim_json *j, const char *key);
void lim_json_text(lim_json *j, const char *text);
void lim_json_number(lim_json *j, double x); // shortest form that reads back equal; null if not finite
void lim_json_int(lim_json *j, long x);
void lim_json_bool(lim_json *j, bool x);
void lim_json_numbers(lim_json *j, const double *x, int n); // a flat list

// A value that is JSON already; '<', '>' and '&' in it are escaped. Whether a text is one, and nothing else but
// white space.
void lim_json_raw(lim_json *j, const char *json);
bool lim_json_valid(const char *json);

#endif

// api/model.c - fuzz target: any bytes as a model file, with the override that they may begin with.
#include "limber/limber.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char sound[] =
    "limber: 1\n"
    "materials: {alu: {E: 70 GPa, rho: 2700}}\n"
    "sections: {rod: {shape: circle, diameter: 1 cm}}\n"
    "links:\n"
    "  - {name: arm, beam: {length: 1, section: rod, material: alu}, masses: [{mass: 1}]}\n"
    "drives: {arm: {type: servo, stiffness: 10}}\n"
    "motion: {arm: {profile: cycloidal, from: 0, to: 90 deg, duration: 1}}\n";

static void parse(const char *text, size_t size, const char *const *set, int nset) {
  lim_error err = {0};
  lim_model *model;
  lim_code code = lim_model_parse(&model, text, (long)size, "fuzz.yaml", set, nset, &err);
  if ((code == LIM_OK) != (model != NULL) || (code == LIM_OK) != (err.count == 0)) abort();
  lim_model_free(model);
  lim_error_clear(&err);
}

// The rest of a first line "# set: path=value", which tests/broken/ has too; NULL if there is none. Owned by
// the caller.
static char *override_in(const char *text, size_t size) {
  static const char mark[] = "# set: ";
  size_t start = sizeof mark - 1, end = start;
  if (size < start || memcmp(text, mark, start)) return NULL;
  while (end < size && text[end] && text[end] != '\n') end++;
  char *line = malloc(end - start + 1);
  if (!line) return NULL;
  memcpy(line, text + start, end - start);
  line[end - start] = 0;
  return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  char *line = override_in(text, size);
  const char *set[] = {line};
  parse(text, size, set, line != NULL);
  if (line) parse(sound, sizeof sound - 1, set, 1);
  free(line);
  return 0;
}

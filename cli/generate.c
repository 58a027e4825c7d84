// generate.c - limber generate: the model as fast stand-alone C.
#include "base/error.h"
#include "cli.h"
#include "export/fmu.h"

#include <stdlib.h>
#include <string.h>

static const char *const FUNCTION[LIM_FUNCTIONS] = {"accelerations", "efforts", "mass", "frames",
                                                    "energies",      "rates",   "rows", "drives"};

static void entry(lim_json *j, const char *key, double x) {
  lim_json_key(j, key);
  lim_json_number(j, x);
}

static void json_operations(lim_json *j, const lim_operations *o) {
  lim_json_object(j);
  entry(j, "trig", o->trig);
  entry(j, "add", o->add);
  entry(j, "mul", o->mul);
  entry(j, "div", o->div);
  entry(j, "sqrt", o->sqrt);
  entry(j, "other", o->other);
  lim_json_end(j, '}');
}

static void as_json(lim_text *out, const lim_generated *g) {
  lim_json j = lim_json_start(out);
  lim_json_object(&j);
  lim_json_key(&j, "name");
  lim_json_text(&j, g->name);
  entry(&j, "coordinates", g->written->n);
  entry(&j, "inputs", g->written->ninput);
  entry(&j, "states", g->written->nstate);
  entry(&j, "frames", g->written->s->nsite);
  entry(&j, "constraints", g->written->nrow);
  lim_json_key(&j, "parameters");
  lim_json_object(&j);
  for (int i = 0; g->keep && i < g->keep->count; i++) entry(&j, g->keep->path[i], g->keep->value[i]);
  lim_json_end(&j, '}');
  lim_json_key(&j, "operations"); // of the accelerations
  json_operations(&j, &g->operations[LIM_OF_ACCELERATIONS]);
  lim_json_key(&j, "functions");
  lim_json_object(&j);
  for (int f = 0; f < LIM_FUNCTIONS; f++) {
    if (!g->plan[f]) continue;
    lim_json_key(&j, FUNCTION[f]);
    json_operations(&j, &g->operations[f]);
  }
  lim_json_end(&j, '}');
  lim_json_end(&j, '}');
  lim_text_add(out, "\n");
}

static void as_table(lim_text *out, const lim_generated *g, const char *path, int fmu) {
  static const char *const head[] = {"operations", "trig", "add", "mul", "div", "sqrt"};
  lim_text_add(out, "%s: %d coordinates, %d inputs\n\n", g->session->model->title, g->written->n,
               g->written->ninput);
  cli_table t = cli_table_start("lrrrrr");
  for (int i = 0; i < 6; i++) cli_table_cell(&t, "%s", head[i]);
  for (int f = 0; f < LIM_FUNCTIONS; f++) {
    const lim_operations *o = &g->operations[f];
    if (!g->plan[f]) continue;
    cli_table_cell(&t, "%s", FUNCTION[f]);
    const int count[] = {o->trig, o->add, o->mul, o->div, o->sqrt};
    for (int i = 0; i < 5; i++) cli_table_cell(&t, "%d", count[i]);
  }
  cli_table_end(&t, out);
  if (fmu)
    lim_text_add(out, "\nwritten to %s: FMI %d.0, model exchange and co-simulation\n", path, fmu);
  else
    lim_text_add(out, "\nwritten to %s: %s.h, %s.c, main.c, README\n", path, g->name, g->name);
}

// The model's name in the names of the code: its file without folder and ending.
static char *name_of(const char *path) {
  const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path, *dot = strrchr(start, '.');
  size_t n = dot && dot > start ? (size_t)(dot - start) : strlen(start);
  char *name = malloc(n + 1);
  if (name) memcpy(name, start, n), name[n] = 0;
  if (name && !strcmp(name, "main")) memcpy(name, "arm", 4); // main.c is the program that runs it
  return name;
}

static lim_code check_output(const cli_options *o, lim_error *err) {
  if (!o->fmu && o->no_binary)
    return LIM_FAIL(err, LIM_BAD_INPUT, "--no-binary is for FMUs: --fmu 2 or --fmu 3");
  if (!o->fmu && !o->folder)
    return LIM_FAIL(err, LIM_BAD_INPUT, "generate needs a folder for the code: -o DIR");
  size_t n = o->output ? strlen(o->output) : 0;
  if (o->fmu && !(n > 4 && !strcmp(o->output + n - 4, ".fmu")))
    return LIM_FAIL(err, LIM_BAD_INPUT, "an FMU needs a file that ends with .fmu: -o FILE.fmu");
  return LIM_OK;
}

lim_code cli_generate(lim_text *out, const cli_options *o, lim_error *err) {
  if (check_output(o, err) != LIM_OK) return LIM_BAD_INPUT;
  lim_model *m;
  lim_code code = lim_model_load(&m, o->model, o->set, o->nset, err);
  if (code != LIM_OK) return code;
  char *folder = cli_folder(o->model), *name = name_of(o->model);
  lim_generated *g = NULL;
  lim_keep *keep = NULL;
  code = folder && name ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK && o->nkeep)
    code = lim_keep_new(&keep, o->model, o->set, o->nset, o->keep, o->nkeep, folder, err);
  if (code == LIM_OK) code = lim_generate(&g, m, name, folder, keep, err);
  if (code == LIM_OK)
    code = o->fmu ? lim_fmu_write(g, (lim_fmu_options){o->fmu, o->no_binary}, o->output, err)
                  : lim_generated_write(g, o->folder, err);
  if (code == LIM_OK && o->json) as_json(out, g);
  if (code == LIM_OK && cli_in_words(o)) as_table(out, g, o->output, o->fmu);
  lim_generated_free(g);
  free(folder);
  free(name);
  lim_model_free(m);
  return code;
}

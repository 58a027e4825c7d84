// generate.c - the model as fast stand-alone C, or as an FMU: lim_model_generate of limber.h.
#include "api/api.h"
#include "export/fmu/fmu.h"

#include <stdlib.h>
#include <string.h>

static void json_operations(lim_json *j, const lim_operations *o) {
  lim_json_object(j);
  lim_put_number(j, "trig", o->trig);
  lim_put_number(j, "add", o->add);
  lim_put_number(j, "mul", o->mul);
  lim_put_number(j, "div", o->div);
  lim_put_number(j, "sqrt", o->sqrt);
  lim_put_number(j, "other", o->other);
  lim_json_end(j, '}');
}

static void fill(lim_call *call, const lim_generated *g) {
  lim_json j = lim_call_json(call);
  lim_put_text(&j, "name", g->name);
  lim_put_number(&j, "coordinates", g->written->n);
  lim_put_number(&j, "inputs", g->written->ninput);
  lim_put_number(&j, "states", g->written->nstate);
  lim_put_number(&j, "frames", g->written->s->nsite);
  lim_put_number(&j, "constraints", g->written->nrow);
  lim_put_number(&j, "step", g->step);
  lim_json_key(&j, "parameters");
  lim_json_object(&j);
  for (int i = 0; g->keep && i < g->keep->count; i++) lim_put_number(&j, g->keep->path[i], g->keep->value[i]);
  lim_json_end(&j, '}');
  lim_json_key(&j, "operations"); // of the accelerations
  json_operations(&j, &g->operations[LIM_OF_ACCELERATIONS]);
  lim_json_key(&j, "functions");
  lim_json_object(&j);
  for (int f = 0; f < LIM_FUNCTIONS; f++) {
    if (!g->tape[f]) continue;
    lim_json_key(&j, lim_symbolic_name(f));
    json_operations(&j, &g->operations[f]);
  }
  lim_json_end(&j, '}');
  lim_call_close(call, &j);
}

// The model's name in the names of the code: its file without folder and ending.
static char *name_of(const char *path) {
  const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path, *dot = strrchr(start, '.');
  size_t n = dot && dot > start ? (size_t)(dot - start) : strlen(start);
  char *name = malloc(n + 1);
  if (name) memcpy(name, start, n), name[n] = 0;
  return name;
}

static lim_code check_output(const lim_generate_options *o, lim_error *err) {
  if (!o->fmu && o->no_binary)
    return LIM_FAIL(err, LIM_BAD_INPUT, "--no-binary is for FMUs: --fmu 2 or --fmu 3");
  if (!o->fmu && !o->output)
    return LIM_FAIL(err, LIM_BAD_INPUT, "generate needs a folder for the code: -o DIR");
  size_t n = o->output ? strlen(o->output) : 0;
  if (o->fmu && !(n > 4 && !strcmp(o->output + n - 4, ".fmu")))
    return LIM_FAIL(err, LIM_BAD_INPUT, "an FMU needs a file that ends with .fmu: -o FILE.fmu");
  return LIM_OK;
}

static lim_code write_code(const lim_generated *g, const lim_generate_options *o, lim_error *err) {
  if (!o->fmu) return lim_generated_write(g, o->output, err);
  return lim_fmu_write(g, (lim_fmu_options){o->fmu, o->no_binary != 0}, o->output, err);
}

// The model with its method exchanged for that of the code, which a copy bears.
static lim_code generate(lim_generated **out, lim_model *copy, const lim_generate_options *o, lim_error *err) {
  const lim_model_file *from = &copy->origin;
  const lim_model_setup setup = {
      .set = from->set, .nset = from->nset, .allow = copy->allow.item, .nallow = copy->allow.count};
  char *name = name_of(o->name ? o->name : from->path);
  lim_parameters *keep = NULL;
  lim_code code = name ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK && o->nkeep)
    code = lim_parameters_new(&keep, from->path, &setup, o->keep, o->nkeep, from->folder, err);
  if (code == LIM_OK) code = lim_generate(out, copy, name, from->folder, keep, err);
  free(name);
  return code;
}

lim_code lim_model_generate(lim_answer **out, const lim_model *model, const lim_generate_options *options,
                            lim_error *err) {
  if (!model) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, &model->said, err);
  lim_generate_options o = lim_generate_options_default();
  lim_generated *g = NULL;
  lim_call_options(&call, &o, options);
  if (call.code == LIM_OK) call.code = check_output(&o, &call.own);
  if (call.code == LIM_OK) {
    lim_model copy = *model;
    copy.arena = (lim_arena){.last = NULL}; // what it takes is its own
    call.code = generate(&g, &copy, &o, &call.own);
    if (call.code == LIM_OK) call.code = write_code(g, &o, &call.own);
    if (call.code == LIM_OK) fill(&call, g);
    lim_generated_free(g);
    lim_arena_free(&copy.arena);
  }
  return lim_call_end(&call);
}

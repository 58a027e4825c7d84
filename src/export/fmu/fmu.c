// fmu.c - the files of an FMU: equations, tables, wrapper, description, binary.
#include "export/fmu/fmu.h"

#include "base/error.h"
#include "export/code/code.h"
#include "export/code/source.h"
#include "export/fmu/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- tables ---

static int given_joint(const lim_symbolic *x, int body) {
  int q = x->s->bodies[body].q;
  return x->second[q] >= 0 ? q : -1;
}

static void tables(lim_text *to, const lim_generated *g, const lim_fmu_variables *v, const char *token) {
  const int outputs = v->count - v->output;
  lim_text_add(to,
               "// model.c - the variables of the model by their value references. Part of an FMU that limber "
               "wrote.\n");
  lim_text_add(to, "#define FMU_TOKEN \"%s\"\n#define FMU_STEP_SIZE ", token);
  lim_code_number(to, g->step);
  lim_text_add(to, "\n#define FMU_LOOPS %d\n\n", g->written->nrow > 0);
  lim_text_add(
      to,
      "enum {\n  FMU_TIME = %d,\n  FMU_INNER = %d,\n  FMU_OWN = %d,\n  FMU_STATE = %d,\n"
      "  FMU_DERIVATIVE = %d,\n  FMU_INPUT = %d,\n  FMU_PARAMETER = %d,\n  FMU_OUTPUT = %d,\n"
      "  FMU_REFERENCES = %d,\n  FMU_FREE = %d, // coordinates that are not given\n  FMU_STATES = %d\n};\n\n",
      LIM_FMU_TIME, LIM_FMU_INNER, LIM_FMU_OWN, v->state, v->derivative, v->input, v->parameter, v->output,
      v->count, v->nfree, v->derivative - v->state);
  lim_text_add(to,
               "enum { FMU_DRIVES = %d };\n\n// Coordinates of joints that are given, by drives.\n"
               "static const int fmu_given_joint[] = {",
               g->written->ndrive);
  for (int i = 0; i < g->written->s->nbody; i++)
    if (g->written->drive[i] >= 0) lim_text_add(to, "%d, ", given_joint(g->written, i));
  lim_text_add(to, "-1};\n\nstatic const int fmu_free_coordinate[] = {");
  for (int i = 0; i < v->nfree; i++) lim_text_add(to, "%d, ", v->coordinate[i]);
  lim_text_add(to, "-1};\n\n// Of what size the states are.\nstatic const double fmu_nominal[] = {");
  for (int i = v->state; i < v->derivative; i++)
    lim_code_number(to, v->variable[i].nominal), lim_text_add(to, ", ");
  lim_text_add(
      to, "1};\n\n// array: 0 q, 1 v, 2 a, 3 u, 4 frames, 5 energies, 6 drives, 7 rotations, 8 gauges\nstatic "
          "const struct {\n"
          "  int array, index;\n  double factor;\n} fmu_output[] = {\n");
  for (int i = 0; i < outputs; i++) {
    const lim_fmu_variable *y = &v->variable[v->output + i];
    lim_source_line(to, "    // %d: %s", v->output + i, y->name);
    lim_text_add(to, "    {%d, %d, ", (int)y->array, y->index);
    lim_code_number(to, y->factor);
    lim_text_add(to, "},\n");
  }
  lim_text_add(to, "};\n");
}

// --- files ---

enum { FILES = 12 };

typedef struct {
  lim_fmu_file file[FILES];
  int count;
} files;

static lim_text *new_file(files *f, const char *folder, const char *name) {
  lim_fmu_file *x = &f->file[f->count++];
  snprintf(x->name, sizeof x->name, "%s%s", folder, name);
  return &x->text;
}

static void copy(lim_text *to, const lim_text *from) { lim_text_bytes(to, from->text, from->length); }

static void add_sources(files *f, const lim_generated *g, const lim_fmu_variables *v, int version,
                        const char *token) {
  char name[80];
  snprintf(name, sizeof name, "fmi%d", version);
  lim_text *all = new_file(f, "sources/", "all.c");
  lim_text_add(all,
               "// all.c - the one file to compile.\n#include \"%s.c\"\n#include \"model.c\"\n"
               "#include \"instance.c\"\n#include \"%s.c\"\n",
               g->name, name);
  snprintf(name, sizeof name, "%s.h", g->name);
  copy(new_file(f, "sources/", name), &g->header);
  snprintf(name, sizeof name, "%s.c", g->name);
  copy(new_file(f, "sources/", name), &g->source);
  tables(new_file(f, "sources/", "model.c"), g, v, token);
  lim_source_put(new_file(f, "sources/", "instance.c"), g->name, lim_fmu_instance_c);
  lim_text_add(new_file(f, "sources/", "rotation_vector.h"), "%s", lim_fmu_rotation_h);
  lim_source_put(new_file(f, "sources/", version == 2 ? "fmi2.h" : "fmi3.h"), g->name,
                 version == 2 ? lim_fmu_fmi2_h : lim_fmu_fmi3_h);
  lim_source_put(new_file(f, "sources/", version == 2 ? "fmi2.c" : "fmi3.c"), g->name,
                 version == 2 ? lim_fmu_fmi2_c : lim_fmu_fmi3_c);
}

static bool whole(const files *f) {
  for (int i = 0; i < f->count; i++)
    if (f->file[i].text.failed) return false;
  return true;
}

static void drop(files *f) {
  for (int i = 0; i < f->count; i++) lim_text_free(&f->file[i].text);
  f->count = 0;
}

// 128 bits over everything that a description and its code have to agree in, by FNV-1a with two offsets.
static void fingerprint(char token[40], const files *f) {
  unsigned long long h[2] = {14695981039346656037ull, 0x6c696d6265722121ull};
  for (int i = 0; i < f->count; i++)
    for (size_t k = 0; k < f->file[i].text.length; k++)
      for (int j = 0; j < 2; j++) h[j] = (h[j] ^ (unsigned char)f->file[i].text.text[k]) * 1099511628211ull;
  snprintf(token, 40, "{%08llx-%04llx-%04llx-%04llx-%012llx}", h[0] >> 32, h[0] >> 16 & 0xffff, h[0] & 0xffff,
           h[1] >> 48, h[1] & 0xffffffffffffull);
}

// Description first, then the sources; the token stands in both.
static void write_texts(files *f, const lim_generated *g, const lim_fmu_variables *v, int version,
                        const char *token) {
  lim_fmu_describe(new_file(f, "", "modelDescription.xml"), g, v, version, token);
  add_sources(f, g, v, version, token);
  if (version == 3) lim_fmu_describe_build(new_file(f, "sources/", "buildDescription.xml"), g);
}

static lim_code add_binary(files *f, const lim_generated *g, int version, lim_error *err) {
  char name[100];
  snprintf(name, sizeof name, "%s.so", g->name);
  lim_text *library = new_file(f, version == 2 ? "binaries/linux64/" : "binaries/x86_64-linux/", name);
  return lim_fmu_compile(library, f->file + 1, f->count - 2,
                         version == 2 ? "-DFMI2_OVERRIDE_FUNCTION_PREFIX" : "-DFMI3_OVERRIDE_FUNCTION_PREFIX",
                         err);
}

lim_code lim_fmu_write(const lim_generated *g, lim_fmu_options options, const char *path, lim_error *err) {
  lim_fmu_variables v;
  files f = {0};
  char token[40] = "";
  lim_code code = lim_fmu_variables_new(&v, g, err);
  if (code == LIM_OK) {
    write_texts(&f, g, &v, options.version, token);
    fingerprint(token, &f);
    drop(&f);
    write_texts(&f, g, &v, options.version, token);
    if (!whole(&f)) code = lim_no_memory(err);
  }
  if (code == LIM_OK && !options.no_binary) code = add_binary(&f, g, options.version, err);
  if (code == LIM_OK && !whole(&f)) code = lim_no_memory(err);
  if (code == LIM_OK) code = lim_fmu_pack(path, f.file, f.count, err);
  drop(&f);
  lim_arena_free(&v.arena);
  return code;
}

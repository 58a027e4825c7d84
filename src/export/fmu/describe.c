// describe.c - modelDescription.xml of an FMU.
#include "export/fmu/parts.h"

#include "export/code/code.h"

#include <math.h>
#include <string.h>

// Bytes of the UTF-8 character at c; 0: it is none, such as one of a name that was cut.
static size_t character(const char *c) {
  const unsigned char *b = (const unsigned char *)c;
  size_t n = *b < 0x80 ? 1 : *b < 0xc0 ? 0 : *b < 0xe0 ? 2 : *b < 0xf0 ? 3 : 4;
  for (size_t i = 1; i < n; i++)
    if ((b[i] & 0xc0) != 0x80) return 0;
  return n;
}

static void escape(lim_text *to, const char *text) {
  static const char *const special[][2] = {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}};
  for (size_t n; *text; text += n ? n : 1) {
    n = character(text);
    const char *other = n == 0 || (unsigned char)*text < ' ' ? "?" : NULL;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
      if (*text == *special[i][0]) other = special[i][1];
    if (other)
      lim_text_add(to, "%s", other);
    else
      lim_text_bytes(to, text, n);
  }
}

static void attribute(lim_text *to, const char *name, const char *value) {
  lim_text_add(to, " %s=\"", name);
  escape(to, value);
  lim_text_add(to, "\"");
}

static void number(lim_text *to, const char *name, double value) {
  lim_text_add(to, " %s=\"", name);
  lim_code_number(to, value);
  lim_text_add(to, "\"");
}

// --- what it can do ---

static void interfaces(lim_text *to, const lim_generated *g, int version) {
  const bool loops = g->written->nrow > 0;
  const char *const files =
      version == 2 ? ">\n    <SourceFiles>\n      <File name=\"all.c\"/>\n    </SourceFiles>\n  </" : NULL;
  for (int k = 0; k < 2; k++) {
    const char *const element = k ? "CoSimulation" : "ModelExchange";
    lim_text_add(to, "  <%s", element);
    attribute(to, "modelIdentifier", g->name);
    if (version == 2) {
      if (!k) lim_text_add(to, " completedIntegratorStepNotNeeded=\"%s\"", loops ? "false" : "true");
      lim_text_add(to, " canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\""
                       " canSerializeFMUstate=\"true\"");
    } else {
      if (!k) lim_text_add(to, " needsCompletedIntegratorStep=\"%s\"", loops ? "true" : "false");
      lim_text_add(to, " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"");
    }
    if (k) lim_text_add(to, " canHandleVariableCommunicationStepSize=\"true\"");
    if (files)
      lim_text_add(to, "%s%s>\n", files, element);
    else
      lim_text_add(to, "/>\n");
  }
}

// --- units ---

static const struct {
  const char *name;
  int kg, m, s, rad;
} UNITS[] = {{"s", 0, 0, 1, 0},    {"m", 0, 1, 0, 0},      {"m/s", 0, 1, -1, 0},     {"m/s^2", 0, 1, -2, 0},
             {"rad", 0, 0, 0, 1},  {"rad/s", 0, 0, -1, 1}, {"rad/s^2", 0, 0, -2, 1}, {"N", 1, 1, -2, 0},
             {"N m", 1, 2, -2, 0}, {"J", 1, 2, -2, 0},     {"Pa", 1, -1, -2, 0},     {"1", 0, 0, 0, 0}};
enum { UNIT_COUNT = sizeof UNITS / sizeof *UNITS };

static bool known_unit(const char *unit) {
  for (int i = 0; i < UNIT_COUNT; i++)
    if (!strcmp(UNITS[i].name, unit)) return true;
  return false;
}

static bool used(const lim_fmu_variables *v, const char *unit) {
  for (int i = 0; i < v->count; i++)
    if (!strcmp(v->variable[i].unit, unit)) return true;
  return false;
}

static void units(lim_text *to, const lim_fmu_variables *v) {
  lim_text_add(to, "  <UnitDefinitions>\n");
  for (int i = 0; i < UNIT_COUNT; i++) {
    if (!used(v, UNITS[i].name)) continue;
    lim_text_add(to, "    <Unit name=\"%s\"><BaseUnit", UNITS[i].name);
    if (UNITS[i].kg) lim_text_add(to, " kg=\"%d\"", UNITS[i].kg);
    if (UNITS[i].m) lim_text_add(to, " m=\"%d\"", UNITS[i].m);
    if (UNITS[i].s) lim_text_add(to, " s=\"%d\"", UNITS[i].s);
    if (UNITS[i].rad) lim_text_add(to, " rad=\"%d\"", UNITS[i].rad);
    lim_text_add(to, "/></Unit>\n");
  }
  lim_text_add(to, "  </UnitDefinitions>\n");
}

// --- variables ---

static const char *const CAUSALITY[] = {"independent", "parameter", "input", "output", "local"};

static const char *variability(const lim_fmu_variable *x) {
  return x->causality != LIM_FMU_PARAMETER ? "continuous" : x->tunable ? "tunable" : "fixed";
}

static bool says_initial(const lim_fmu_variable *x) {
  return x->causality != LIM_FMU_INDEPENDENT && x->causality != LIM_FMU_INPUT;
}

static void common(lim_text *to, const lim_fmu_variables *v, int i) {
  const lim_fmu_variable *x = &v->variable[i];
  attribute(to, "name", x->name);
  lim_text_add(to, " valueReference=\"%d\"", i);
  attribute(to, "description", x->what);
  attribute(to, "causality", CAUSALITY[x->causality]);
  attribute(to, "variability", variability(x));
  if (says_initial(x)) attribute(to, "initial", x->exact ? "exact" : "calculated");
}

static void real_attributes(lim_text *to, const lim_fmu_variables *v, int i, bool loops, int first) {
  const lim_fmu_variable *x = &v->variable[i];
  if (x->truth) {
    lim_text_add(to, " start=\"%s\"", x->start != 0 ? "true" : "false");
    return;
  }
  if (known_unit(x->unit)) attribute(to, "unit", x->unit);
  if (x->state) number(to, "nominal", x->nominal);
  if (x->exact) number(to, "start", x->start);
  if (x->derivative_of >= 0) lim_text_add(to, " derivative=\"%d\"", x->derivative_of + first);
  if (x->state && loops) lim_text_add(to, " reinit=\"true\"");
}

// FMI 2 counts variables from 1 where it refers to them, FMI 3 by their value references.
static void variables(lim_text *to, const lim_generated *g, const lim_fmu_variables *v, int version) {
  const bool loops = g->written->nrow > 0;
  lim_text_add(to, "  <ModelVariables>\n");
  for (int i = 0; i < v->count; i++) {
    const char *const type = v->variable[i].truth ? "Boolean" : version == 2 ? "Real" : "Float64";
    lim_text_add(to, "    <%s", version == 2 ? "ScalarVariable" : type);
    common(to, v, i);
    if (version == 2) lim_text_add(to, "><%s", type);
    real_attributes(to, v, i, loops, version == 2);
    lim_text_add(to, version == 2 ? "/></ScalarVariable>\n" : "/>\n");
  }
  lim_text_add(to, "  </ModelVariables>\n");
}

// --- structure ---

static bool is_output(const lim_fmu_variable *x) { return x->causality == LIM_FMU_OUTPUT; }
static bool is_derivative(const lim_fmu_variable *x) { return x->derivative_of >= 0; }
static bool is_unknown(const lim_fmu_variable *x) { return !x->exact && (is_output(x) || is_derivative(x)); }

static void list(lim_text *to, const lim_fmu_variables *v, int version, const char *group, const char *element,
                 bool (*belongs)(const lim_fmu_variable *)) {
  bool any = false;
  for (int i = 0; i < v->count; i++) any = any || belongs(&v->variable[i]);
  if (!any) return;
  if (version == 2) lim_text_add(to, "    <%s>\n", group);
  for (int i = 0; i < v->count; i++) {
    if (!belongs(&v->variable[i])) continue;
    if (version == 2)
      lim_text_add(to, "      <Unknown index=\"%d\"/>\n", i + 1);
    else
      lim_text_add(to, "    <%s valueReference=\"%d\"/>\n", element, i);
  }
  if (version == 2) lim_text_add(to, "    </%s>\n", group);
}

// --- whole ---

void lim_fmu_describe(lim_text *to, const lim_generated *g, const lim_fmu_variables *v, int version,
                      const char *token) {
  const lim_model *m = g->session->model;
  lim_text_add(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%d.0\"",
               version);
  attribute(to, "modelName", g->name);
  attribute(to, version == 2 ? "guid" : "instantiationToken", token);
  attribute(to, "description", m->title ? m->title : g->name);
  attribute(to, "generationTool", "limber " LIM_VERSION);
  lim_text_add(to, " variableNamingConvention=\"flat\"");
  if (version == 2) lim_text_add(to, " numberOfEventIndicators=\"0\"");
  lim_text_add(to, ">\n");
  interfaces(to, g, version);
  units(to, v);
  lim_text_add(to,
               "  <LogCategories>\n    <Category name=\"logStatusError\" description=\"why a call failed\"/>\n"
               "    <Category name=\"logStatusDiscard\" description=\"why a shorter step is to be tried\"/>\n"
               "  </LogCategories>\n  <DefaultExperiment startTime=\"0\"");
  number(to, "stopTime", isnan(m->solver.duration) ? 1 : m->solver.duration);
  if (m->outputs.every > 0) number(to, "stepSize", m->outputs.every);
  lim_text_add(to, "/>\n");
  variables(to, g, v, version);
  lim_text_add(to, "  <ModelStructure>\n");
  list(to, v, version, "Outputs", "Output", is_output);
  list(to, v, version, "Derivatives", "ContinuousStateDerivative", is_derivative);
  list(to, v, version, "InitialUnknowns", "InitialUnknown", is_unknown);
  lim_text_add(to, "  </ModelStructure>\n</fmiModelDescription>\n");
}

void lim_fmu_describe_build(lim_text *to, const lim_generated *g) {
  lim_text_add(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
                   "  <BuildConfiguration");
  attribute(to, "modelIdentifier", g->name);
  lim_text_add(
      to, ">\n    <SourceFileSet language=\"C99\">\n      <SourceFile name=\"all.c\"/>\n    </SourceFileSet>\n"
          "    <Library name=\"m\" external=\"true\"/>\n  </BuildConfiguration>\n</fmiBuildDescription>\n");
}

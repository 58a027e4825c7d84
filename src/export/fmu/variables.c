// variables.c - the variables of an FMU: states and their derivatives, inputs, parameters, outputs.
#include "export/code/nominal.h"
#include "export/fmu/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- list ---

static bool taken(const lim_fmu_variables *v, const char *name) {
  for (int i = 0; i < v->count; i++)
    if (!strcmp(v->variable[i].name, name)) return true;
  return false;
}

// Add a variable called OF.WHAT; names are unique: a second one of a name gets a number.
static lim_fmu_variable *add(lim_fmu_variables *v, lim_fmu_causality causality, const char *unit,
                             const char *of, const char *what) {
  lim_fmu_variable *x = &v->variable[v->count];
  *x = (lim_fmu_variable){.unit = unit, .causality = causality, .derivative_of = -1, .factor = 1};
  snprintf(x->name, sizeof x->name, "%.100s%s%.40s", of, *of ? "." : "", what);
  for (int k = 2; taken(v, x->name); k++)
    snprintf(x->name, sizeof x->name, "%.100s%s%.40s.%d", of, *of ? "." : "", what, k);
  v->count++;
  return x;
}

static void start_at(lim_fmu_variable *x, double start) {
  x->exact = true;
  x->start = start;
}

static void take_from(lim_fmu_variable *x, lim_fmu_array array, int index, double factor) {
  x->array = array;
  x->index = index;
  x->factor = factor;
}

#define WHAT(x, ...) snprintf((x)->what, sizeof(x)->what, __VA_ARGS__)

// --- coordinates ---

static const char *joint_of(const lim_symbolic *x, int body) {
  return x->session->model->links.item[x->s->bodies[body].link].joint.head.name;
}

static const char *link_of(const lim_symbolic *x, int body) {
  return x->session->model->links.item[x->s->bodies[body].link].head.name;
}

static bool slides(const lim_symbolic *x, int body) { return x->s->bodies[body].screw.slides; }

// Unit of a joint's coordinate, its rate, its second derivative.
static const char *joint_unit(const lim_symbolic *x, int body, int order) {
  static const char *const unit[2][3] = {{"rad", "rad/s", "rad/s^2"}, {"m", "m/s", "m/s^2"}};
  return unit[slides(x, body)][order];
}

static const char *const ORDER[3] = {"position", "velocity", "acceleration"};

// The variable of a coordinate (order 0) or its rate (1), as a state.
static void add_state(lim_fmu_variables *v, const lim_generated *g, const lim_nominals *size, int k,
                      int order) {
  const lim_symbolic *x = g->written;
  const double start = (order ? g->session->motion_state->v : g->session->motion_state->q)[k];
  lim_fmu_variable *y = NULL;
  for (int i = 0; i < x->s->nbody && !y; i++) {
    const lim_arm_body *b = &x->s->bodies[i];
    if (b->q == k) {
      y = add(v, LIM_FMU_OUTPUT, joint_unit(x, i, order), joint_of(x, i), ORDER[order]);
      WHAT(y, "%s of joint %s", ORDER[order], joint_of(x, i));
    } else if (b->m == k) {
      y = add(v, LIM_FMU_LOCAL, joint_unit(x, i, order), joint_of(x, i), order ? "motor_rate" : "motor");
      WHAT(y, "%s of the motor of %s over its ratio", ORDER[order], joint_of(x, i));
    } else if (k >= b->e && k < b->e + b->body->n) {
      char what[40];
      snprintf(what, sizeof what, "deformation%s.%d", order ? "_rate" : "", k - b->e + 1);
      y = add(v, LIM_FMU_LOCAL, "", link_of(x, i), what);
      WHAT(y, "%scoordinate %d of the deformation of %s", order ? "rate of " : "", k - b->e + 1, link_of(x, i));
    }
  }
  if (!y) y = add(v, LIM_FMU_LOCAL, "", "coordinate", order ? "rate" : "value");
  y->state = true;
  y->nominal = (order ? size->v : size->q)[k];
  start_at(y, start);
}

static const char *rate_unit(const char *unit) {
  static const char *const rate[][2] = {{"rad", "rad/s"}, {"rad/s", "rad/s^2"}, {"m", "m/s"}, {"m/s", "m/s^2"}};
  for (size_t i = 0; i < sizeof rate / sizeof *rate; i++)
    if (!strcmp(unit, rate[i][0])) return rate[i][1];
  return "";
}

static void add_states(lim_fmu_variables *v, const lim_generated *g, const lim_nominals *size) {
  const lim_symbolic *x = g->written;
  v->state = v->count;
  for (int order = 0; order < 2; order++)
    for (int i = 0; i < v->nfree; i++) add_state(v, g, size, v->coordinate[i], order);
  for (int i = 0; i < x->nstate; i++) {
    lim_fmu_variable *y = add(v, LIM_FMU_LOCAL, "", "drives", x->state[i].name);
    WHAT(y, "%s", x->state[i].name);
    y->state = true;
    y->nominal = x->state[i].nominal;
    start_at(y, x->state[i].start);
  }
  v->derivative = v->count;
  for (int i = v->state; i < v->derivative; i++) {
    char name[160];
    snprintf(name, sizeof name, "der(%.150s)", v->variable[i].name);
    lim_fmu_variable *y = add(v, LIM_FMU_LOCAL, rate_unit(v->variable[i].unit), "", "");
    snprintf(y->name, sizeof y->name, "%s", name);
    WHAT(y, "derivative of %.150s", v->variable[i].name);
    y->derivative_of = i;
  }
}

// --- inputs ---

static void name_input(lim_fmu_variable *y, const char *of, const char *what) {
  snprintf(y->name, sizeof y->name, "%.100s.%.40s", of, what);
}

static void add_inputs(lim_fmu_variables *v, const lim_symbolic *x) {
  static const char *const reference[3] = {"reference_input", "reference_rate_input",
                                           "reference_acceleration_input"};
  v->input = v->count;
  for (int i = 0; i < x->ninput; i++) {
    lim_fmu_variable *y = add(v, LIM_FMU_INPUT, x->input[i].unit, "input", x->input[i].name);
    WHAT(y, "added to %s", x->input[i].name);
    start_at(y, 0);
  }
  for (int i = 0; i < x->s->nbody; i++) {
    for (int k = 0; k < 3 && x->reference[i] >= 0; k++)
      name_input(&v->variable[v->input + x->reference[i] + k], joint_of(x, i), reference[k]);
    if (x->effort[i] >= 0) name_input(&v->variable[v->input + x->effort[i]], joint_of(x, i), "effort_input");
  }
  for (int i = 0; i < x->session->inputs->nload; i++) {
    if (x->factor[i] < 0) continue;
    char load[24];
    snprintf(load, sizeof load, "load.%d",
             (int)(x->session->inputs->load[i].load - x->session->model->loads.item) + 1);
    name_input(&v->variable[v->input + x->factor[i]], load, "factor_input");
  }
}

// --- parameters ---

static int kept(const lim_generated *g) { return g->keep ? g->keep->count : 0; }

static void add_parameters(lim_fmu_variables *v, const lim_generated *g) {
  v->parameter = v->count;
  for (int i = 0; i < kept(g); i++) {
    lim_fmu_variable *y = add(v, LIM_FMU_PARAMETER, "", "", "");
    snprintf(y->name, sizeof y->name, "%.150s", g->keep->path[i]);
    WHAT(y, "%.150s of the model, SI units", g->keep->path[i]);
    y->tunable = true;
    start_at(y, g->keep->value[i]);
  }
}

// --- outputs ---

static void add_joint_outputs(lim_fmu_variables *v, const lim_symbolic *x, int body) {
  const lim_arm_body *b = &x->s->bodies[body];
  const lim_joint_drive *d = &x->session->inputs->drive[body];
  const char *joint = joint_of(x, body);
  for (int k = x->second[b->q] >= 0 ? 0 : 2; k < 3; k++) {
    lim_fmu_variable *y = add(v, LIM_FMU_OUTPUT, joint_unit(x, body, k), joint, ORDER[k]);
    WHAT(y, "%s of joint %s", ORDER[k], joint);
    take_from(y, (lim_fmu_array)(LIM_FMU_Q + k), b->q, 1);
  }
  if (x->reference[body] >= 0) {
    lim_fmu_variable *y = add(v, LIM_FMU_OUTPUT, joint_unit(x, body, 0), joint, "reference");
    WHAT(y, "commanded position of joint %s", joint);
    take_from(y, LIM_FMU_U, x->reference[body], 1);
  }
  if (x->second[b->q] < 0 || !x->nrow) { // with loops the effort on a given joint follows from their forces
    lim_fmu_variable *y = add(v, LIM_FMU_OUTPUT, slides(x, body) ? "N" : "N m", joint, "effort");
    WHAT(y, "effort of the drive of %s on the joint, without friction", joint);
    take_from(y, LIM_FMU_DRIVES, 2 * x->drive[body], 1);
  }
  if (b->rotor >= 0) {
    lim_fmu_variable *y = add(v, LIM_FMU_OUTPUT, "rad", joint, "motor_position");
    WHAT(y, "angle of the rotor of the motor of %s", joint);
    take_from(y, LIM_FMU_Q, b->m >= 0 ? b->m : b->q, x->s->rotor[b->rotor].ratio);
  }
  if (b->rotor >= 0 && d->type == LIM_DRIVE_MOTOR && !d->motor_given) {
    lim_fmu_variable *y = add(v, LIM_FMU_OUTPUT, "N m", joint, "motor_torque");
    WHAT(y, "torque of the motor of %s on its shaft", joint);
    take_from(y, LIM_FMU_DRIVES, 2 * x->drive[body] + 1, 1);
  }
}

// Numbers of a frame: where they stand, in an array with `width` of them per frame.
static const struct {
  const char *name, *unit, *what;
  lim_fmu_array array;
  int width, first;
} FRAME[] = {
    {"position", "m", "position", LIM_FMU_FRAMES, 18, 0},
    {"velocity", "m/s", "velocity", LIM_FMU_FRAMES, 18, 3},
    {"rotation", "rad", "rotation vector", LIM_FMU_ROTATIONS, 3, 0},
    {"angular_velocity", "rad/s", "angular velocity", LIM_FMU_FRAMES, 18, 15},
};
enum { FRAME_VECTORS = sizeof FRAME / sizeof *FRAME };

static void add_frame_outputs(lim_fmu_variables *v, const char *frame, int index) {
  for (int k = 0; k < FRAME_VECTORS; k++)
    for (int i = 0; i < 3; i++) {
      char name[40];
      snprintf(name, sizeof name, "%s.%c", FRAME[k].name, "xyz"[i]);
      lim_fmu_variable *y = add(v, LIM_FMU_OUTPUT, FRAME[k].unit, frame, name);
      WHAT(y, "%s of frame %.100s, world axes", FRAME[k].what, frame);
      take_from(y, FRAME[k].array, FRAME[k].width * index + FRAME[k].first + i, 1);
    }
}

// Strain, and what it stands for: uniaxial stress.
static void add_gauge_outputs(lim_fmu_variables *v, const lim_symbolic *x, int index) {
  const lim_symbolic_gauge *g = &x->gauge[index];
  const char *link = x->session->model->links.item[g->link].head.name, *gauge = g->gauge->head.name;
  char name[2][40];
  snprintf(name[0], sizeof name[0], "%.30s.strain", gauge);
  snprintf(name[1], sizeof name[1], "%.30s.stress", gauge);
  lim_fmu_variable *y = add(v, LIM_FMU_OUTPUT, "1", link, name[0]);
  WHAT(y, "strain under gauge %.60s of %.60s", gauge, link);
  take_from(y, LIM_FMU_GAUGES, index, 1);
  y = add(v, LIM_FMU_OUTPUT, "Pa", link, name[1]);
  WHAT(y, "stress that the strain under gauge %.60s of %.60s stands for", gauge, link);
  take_from(y, LIM_FMU_GAUGES, index, g->E);
}

static void add_outputs(lim_fmu_variables *v, const lim_symbolic *x) {
  static const char *const energy[3][2] = {{"kinetic", "kinetic energy"},
                                           {"strain_of_links", "strain energy of the links"},
                                           {"gravity", "energy of gravity against the world's origin"}};
  v->output = v->count;
  for (int i = 0; i < x->s->nbody; i++)
    if (x->s->bodies[i].q >= 0) add_joint_outputs(v, x, i);
  for (int i = 0; i < x->s->nsite; i++) add_frame_outputs(v, x->s->site[i].name, i);
  for (int i = 0; i < x->count[LIM_OF_GAUGES]; i++) add_gauge_outputs(v, x, i);
  for (int i = 0; i < 3; i++) {
    lim_fmu_variable *y = add(v, LIM_FMU_OUTPUT, "J", "energy", energy[i][0]);
    WHAT(y, "%s", energy[i][1]);
    take_from(y, LIM_FMU_ENERGIES, i, 1);
  }
}

// --- whole ---

static void add_first(lim_fmu_variables *v, const lim_generated *g) {
  WHAT(add(v, LIM_FMU_INDEPENDENT, "s", "", "time"), "time");
  lim_fmu_variable *inner = add(v, LIM_FMU_PARAMETER, "s", "", "step");
  WHAT(inner, "step of the integrator inside, in co-simulation");
  start_at(inner, g->step);
  lim_fmu_variable *own = add(v, LIM_FMU_PARAMETER, "", "", "own_inputs");
  WHAT(own, "whether the model's own motion, efforts and loads act; inputs are added to them");
  own->truth = true;
  start_at(own, 1);
}

lim_code lim_fmu_variables_new(lim_fmu_variables *v, const lim_generated *g, lim_error *err) {
  const lim_symbolic *x = g->written;
  size_t n = (size_t)x->n, drives = (size_t)x->nstate, inputs = (size_t)x->ninput, sites = (size_t)x->s->nsite;
  *v = (lim_fmu_variables){0};
  v->capacity = (int)(LIM_FMU_FIRST + 4 * n + 2 * drives + inputs + 7 * (size_t)x->s->nbody +
                      3 * FRAME_VECTORS * sites + 3) +
                2 * x->count[LIM_OF_GAUGES] + kept(g);
  v->variable = lim_arena_array(&v->arena, (size_t)v->capacity, sizeof *v->variable);
  v->coordinate = lim_arena_array(&v->arena, n + 1, sizeof *v->coordinate);
  if (!v->variable || !v->coordinate) return lim_no_memory(err);
  for (int i = 0; i < x->n; i++)
    if (x->second[i] < 0) v->coordinate[v->nfree++] = i;
  lim_nominals size;
  lim_code code = lim_nominals_new(&size, g->session, &v->arena, err);
  if (code != LIM_OK) return code;
  add_first(v, g);
  add_states(v, g, &size);
  add_inputs(v, x);
  add_parameters(v, g);
  add_outputs(v, x);
  return LIM_OK;
}

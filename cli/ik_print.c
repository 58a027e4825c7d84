// ik_print.c - the answers of limber ik, as JSON and in words.
#include "ik.h"

#include <math.h>

enum { ACROSS = 8 }; // columns of a table

// --- pose and Jacobian ---

// Roll, pitch, yaw about fixed axes; at pitch +-90 deg the yaw is 0.
static void rpy_of(double rpy[3], const double R[9]) {
  double level = hypot(R[0], R[3]);
  rpy[1] = atan2(-R[6], level);
  rpy[0] = level > 1e-12 ? atan2(R[7], R[8]) : atan2(-R[5], R[4]);
  rpy[2] = level > 1e-12 ? atan2(R[3], R[0]) : 0;
}

static void json_joints(lim_json *j, const lim_chain *c, const double *q) {
  lim_json_key(j, "joints");
  lim_json_object(j);
  for (int k = 0; k < c->n; k++) {
    lim_json_key(j, c->joint[k].name);
    lim_json_number(j, q[k]);
  }
  lim_json_end(j, '}');
}

static void key_numbers(lim_json *j, const char *key, const double *x, int n) {
  lim_json_key(j, key);
  lim_json_numbers(j, x, n);
}

static void key_number(lim_json *j, const char *key, double x) {
  lim_json_key(j, key);
  lim_json_number(j, x);
}

static void key_text(lim_json *j, const char *key, const char *text) {
  lim_json_key(j, key);
  lim_json_text(j, text);
}

static void forward_json(lim_text *out, const cli_ik_question *x, const lim_place_in_world *at, const double *J,
                         const double s[6]) {
  double rpy[3], row[LIM_CHAIN_MOST];
  int n = x->c->n;
  lim_json j = lim_json_start(out);
  rpy_of(rpy, at->R);
  lim_json_object(&j);
  key_text(&j, "frame", x->frame);
  key_numbers(&j, "position", at->p, 3);
  key_numbers(&j, "rpy", rpy, 3);
  json_joints(&j, x->c, x->c->start);
  lim_json_key(&j, "jacobian");
  lim_json_list(&j);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < n; k++) row[k] = J[6 * k + i];
    lim_json_numbers(&j, row, n);
  }
  lim_json_end(&j, ']');
  key_numbers(&j, "singular_values", s, n < 6 ? n : 6);
  key_number(&j, "length", x->c->size);
  lim_json_end(&j, '}');
  lim_text_add(out, "\n");
}

static void table_of_jacobian(lim_text *out, const lim_chain *c, const double *J) {
  static const char *const row[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  for (int first = 0; first < c->n; first += ACROSS) {
    int last = first + ACROSS < c->n ? first + ACROSS : c->n;
    cli_table t = cli_table_start("lrrrrrrrr");
    t.columns = 1 + last - first;
    cli_table_cell(&t, "per speed of");
    for (int k = first; k < last; k++) cli_table_cell(&t, "%s", c->joint[k].name);
    for (int i = 0; i < 6; i++) {
      cli_table_cell(&t, "%s", row[i]);
      for (int k = first; k < last; k++)
        cli_table_cell(&t, "%.5g", fabs(J[6 * k + i]) < 1e-12 ? 0 : J[6 * k + i]);
    }
    cli_table_end(&t, out);
    lim_text_add(out, "\n");
  }
}

void cli_ik_print_pose(lim_text *out, const cli_ik_question *x, double *J) {
  double s[6], rpy[3];
  lim_place_in_world at;
  int n = x->c->n;
  lim_chain_jacobian(&at, J, x->c, x->c->start);
  lim_chain_singular_values(s, J, n, x->c->size);
  if (x->o->json) forward_json(out, x, &at, J, s);
  if (!cli_in_words(x->o)) return;
  rpy_of(rpy, at.R);
  for (int i = 0; i < 3; i++) { // no -0, no rounding
    if (fabs(at.p[i]) < 1e-12 * x->c->size) at.p[i] = 0;
    if (fabs(rpy[i]) < 1e-12) rpy[i] = 0;
  }
  lim_text_add(out, "%s, frame %s\n\n", x->m->title, x->frame);
  lim_text_add(out, "  position  %.6g  %.6g  %.6g m\n", at.p[0], at.p[1], at.p[2]);
  lim_text_add(out, "  rpy       %.6g  %.6g  %.6g deg\n\n", rpy[0] * 180 / M_PI, rpy[1] * 180 / M_PI,
               rpy[2] * 180 / M_PI);
  table_of_jacobian(out, x->c, J);
  lim_text_add(out, "  singular values (rotations by %.4g m per rad):", x->c->size);
  for (int i = 0; i < n && i < 6; i++) lim_text_add(out, " %.4g", s[i]);
  lim_text_add(out, "\n");
}

// --- solutions ---

static void json_posture(lim_json *j, const cli_ik_question *x, int i) {
  char text[64];
  lim_json_object(j);
  json_joints(j, x->c, x->solution + i * x->c->n);
  key_number(j, "error", x->outcome[i].distance);
  key_number(j, "angle_error", x->outcome[i].angle);
  key_text(j, "singular", lim_ik_singular_name(text, x->outcome[i].singular));
  lim_json_end(j, '}');
}

void cli_ik_print_json(lim_text *out, const cli_ik_question *x) {
  lim_json j = lim_json_start(out);
  lim_json_object(&j);
  key_text(&j, "frame", x->frame);
  key_text(&j, "method", lim_ik_method_name(lim_ik_method_of(x->ik)));
  lim_json_key(&j, "reachable");
  lim_json_bool(&j, x->count > 0);
  key_number(&j, "distance", x->outcome[0].distance);
  key_number(&j, "angle", x->outcome[0].angle);
  lim_json_key(&j, "solutions");
  lim_json_list(&j);
  for (int i = 0; i < x->count; i++) json_posture(&j, x, i);
  lim_json_end(&j, ']');
  if (x->count == 0) {
    lim_json_key(&j, "nearest");
    json_posture(&j, x, 0);
    if (x->outcome[0].beyond >= 0) key_text(&j, "beyond", x->c->joint[x->outcome[0].beyond].name);
  }
  lim_json_end(&j, '}');
  lim_text_add(out, "\n");
}

static void table_of_solutions(lim_text *out, const cli_ik_question *x, int from, int to, bool numbered) {
  int n = x->c->n;
  cli_table t = cli_table_start("llrrrrrrrr");
  t.columns = 2 + to - from;
  cli_table_cell(&t, "joint");
  cli_table_cell(&t, "unit");
  for (int i = from; i < to; i++)
    if (numbered)
      cli_table_cell(&t, "%d", i + 1);
    else
      cli_table_cell(&t, "position");
  for (int k = 0; k < n; k++) {
    bool slides = x->c->joint[k].slides;
    cli_table_cell(&t, "%s", x->c->joint[k].name);
    cli_table_cell(&t, "%s", slides ? "mm" : "deg");
    for (int i = from; i < to; i++) {
      double value = x->solution[i * n + k] * (slides ? 1000 : 180 / M_PI);
      cli_table_cell(&t, "%.3f", fabs(value) < 5e-4 ? 0 : value);
    }
  }
  cli_table_end(&t, out);
}

static void say_singular(lim_text *out, const cli_ik_question *x, int shown) {
  char text[64];
  for (int i = 0; i < shown; i++) {
    if (!x->outcome[i].singular) continue;
    if (shown > 1)
      lim_text_add(out, "  solution %d is singular: %s\n", i + 1,
                   lim_ik_singular_name(text, x->outcome[i].singular));
    else
      lim_text_add(out, "  singular: %s\n", lim_ik_singular_name(text, x->outcome[i].singular));
  }
}

void cli_ik_print_words(lim_text *out, const cli_ik_question *x) {
  static const char *const how[] = {
      [LIM_IK_WRIST] = "closed form: three joints place the wrist, three axes that meet turn it",
      [LIM_IK_PARALLEL] = "closed form: three joints in parallel planes, two axes that meet",
      [LIM_IK_POINT] = "closed form: three joints place a point",
      [LIM_IK_PLANAR] = "closed form of a planar arm",
      [LIM_IK_SEARCH] = "damped least squares",
  };
  const double *p = x->goal.position;
  int shown = x->count ? x->count : 1;
  lim_text_add(out, "%s, frame %s at %.6g, %.6g, %.6g m%s\n\n", x->m->title, x->frame, p[0], p[1], p[2],
               x->o->ik.rpy ? "" : ", turned any way");
  if (x->count == 0) lim_text_add(out, "  not reached; as near as it gets:\n");
  for (int from = 0; from < shown; from += ACROSS) {
    table_of_solutions(out, x, from, from + ACROSS < shown ? from + ACROSS : shown, shown > 1);
    lim_text_add(out, "\n");
  }
  if (x->count > 1) lim_text_add(out, "  %d solutions\n", x->count);
  lim_text_add(out, "  %s\n", how[lim_ik_method_of(x->ik)]);
  if (x->count) lim_text_add(out, "  left: %.2g m%s", x->outcome[0].distance, x->o->ik.rpy ? "" : "\n");
  if (x->count && x->o->ik.rpy) lim_text_add(out, ", %.2g rad\n", x->outcome[0].angle);
  say_singular(out, x, shown);
}

// holding_names.c - motions of released joints in words: which joint, along or about what. Theory:
// docs/theory/statics.md, "Released joints".
#include "analysis/statics/released/holding_names.h"

#include "arm/kinematics.h"
#include "base/text.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SMALL = 1e-6; // of a motion: none
enum { MOST = LIM_MOST_FREEDOMS };

typedef lim_equilibrium_search search;

static bool is_released(const search *p, int body) {
  return p->s.bodies[body].q >= 0 && p->released[p->s.bodies[body].q];
}

// The link to whose joint the freedom of a body belongs: of free and spherical joints that of the whole.
static int whole_of(const search *p, int body) {
  const int link = p->s.bodies[body].link;
  return lim_joint_in_ball(&p->s.model->links.item[link].joint) ? lim_whole_link(p->s.model, link) : link;
}

static const char *name_of(const search *p, int link) { return lim_joint_shown(&p->s.model->links.item[link]); }

// How many freedoms of a link's joint are released.
static int freedoms(const search *p, int link) {
  int count = 0;
  for (int i = 0; i < p->s.nbody; i++) count += is_released(p, i) && whole_of(p, i) == link;
  return count;
}

// And how many it has: those that loops move are held by them.
static int all_freedoms(const search *p, int link) {
  int count = 0;
  for (int i = 0; i < p->s.nbody; i++) count += p->s.bodies[i].q >= 0 && whole_of(p, i) == link;
  return count;
}

// --- a motion of one joint ---

// Turning (3) and velocity over the arm's size (3) of the link, if its joint alone moved as in x (n).
static lim_code motion_of(double out[6], const search *p, int link, const double *x, lim_error *err) {
  size_t n = (size_t)p->n, nb = (size_t)p->s.nbody;
  double *v = calloc(n, sizeof *v);
  lim_world_motion *body = calloc(nb, sizeof *body);
  lim_code code = v && body ? LIM_OK : lim_no_memory(err);
  for (int i = 0; code == LIM_OK && i < p->s.nbody; i++)
    if (is_released(p, i) && whole_of(p, i) == link) v[p->s.bodies[i].q] = x[p->s.bodies[i].q];
  if (code == LIM_OK) {
    lim_kinematics(body, &p->s, p->q, v, NULL);
    const lim_world_motion *own = &body[p->s.first_body[link]];
    for (int i = 0; i < 3; i++) {
      out[i] = own->w[i];
      out[3 + i] = own->v[i] / p->size;
    }
  }
  free(v);
  free(body);
  return code;
}

static bool turns(const double motion[6]) {
  return lim_dot(motion, motion) > SMALL * lim_dot(motion + 3, motion + 3);
}

static void add_direction(lim_text *out, const double *x) {
  const double length = sqrt(lim_dot(x, x));
  for (int i = 0; i < 3; i++)
    lim_text_add(out, "%s%.3g", i ? ", " : "[", fabs(x[i]) < SMALL * length ? 0 : x[i] / length);
  lim_text_add(out, "] (world)");
}

// "turning about its axis", "moving along [0, 0, -1] (world)"
static void describe(lim_text *out, const search *p, int link, const double motion[6]) {
  const bool turning = turns(motion);
  if (p->s.model->links.item[link].joint.rail) { // it turns with its rail
    lim_text_add(out, "moving along its rail");
    return;
  }
  lim_text_add(out, turning ? "turning about " : "moving along ");
  if (!lim_joint_in_ball(&p->s.model->links.item[link].joint))
    lim_text_add(out, "its axis");
  else
    add_direction(out, motion + (turning ? 0 : 3));
}

// The link whose released joint moves most in x (n).
static int leader(const search *p, const double *x) {
  int link = 0;
  double max = -1;
  for (int i = 0; i < p->s.nbody; i++) {
    if (!is_released(p, i)) continue;
    const lim_arm_body *b = &p->s.bodies[i];
    double size = fabs(x[b->q]) / (b->screw.turns ? 1 : p->size);
    if (!(size > max)) continue;
    max = size;
    link = whole_of(p, i);
  }
  return link;
}

static void spread(double *all, const search *p, const double *x) {
  memset(all, 0, (size_t)p->n * sizeof *all);
  for (int j = 0; j < p->m; j++) all[p->index[j]] = x[j];
}

// --- what goes on moving ---

// Of what acts on the joint of a link, the force along a motion of it, or the moment about it.
static double push_along(const search *p, int link, const double *x, const double motion[6]) {
  double power = 0;
  for (int i = 0; i < p->s.nbody; i++)
    if (is_released(p, i) && whole_of(p, i) == link) power -= p->r[p->s.bodies[i].q] * x[p->s.bodies[i].q];
  const double speed =
      turns(motion) ? sqrt(lim_dot(motion, motion)) : p->size * sqrt(lim_dot(motion + 3, motion + 3));
  return speed > 0 ? power / speed : 0;
}

lim_code lim_holding_lost(const search *p, const double *x, bool far, lim_error *err) {
  const int link = leader(p, x);
  const char *name = name_of(p, link);
  double motion[6];
  lim_text text = {0};
  lim_code code = motion_of(motion, p, link, x, err);
  if (code != LIM_OK) return code;
  const double push = fabs(push_along(p, link, x, motion));
  describe(&text, p, link, motion);
  const char *way = text.text ? text.text : "moving";
  if (far)
    code = LIM_FAIL(
        err, LIM_FAILED,
        "joint '%s': nothing holds it: %.4g %s push it on, %s. Hold it by a spring, a bushing or a drive", name,
        push, turns(motion) ? "N m" : "N", way);
  else
    code = LIM_FAIL(err, LIM_FAILED,
                    "no equilibrium: joint '%s' does not come to rest where it is released; it goes on %s",
                    name, way);
  lim_text_free(&text);
  return code;
}

// --- what nothing holds ---

// Motions (6 x count by columns) into those that are easiest to say: as few directions as possible in each,
// turning before moving. How many are independent.
static int reduce(double *A, int count) {
  int rank = 0;
  for (int row = 0; row < 6; row++) {
    int best = rank;
    for (int j = rank; j < count; j++)
      if (fabs(A[6 * j + row]) > fabs(A[6 * best + row])) best = j;
    if (rank >= count || !(fabs(A[6 * best + row]) > SMALL)) continue;
    for (int i = 0; i < 6; i++) {
      double a = A[6 * best + i];
      A[6 * best + i] = A[6 * rank + i];
      A[6 * rank + i] = a;
    }
    const double pivot = A[6 * rank + row];
    for (int i = 0; i < 6; i++) A[6 * rank + i] /= pivot;
    for (int j = 0; j < count; j++) {
      const double part = A[6 * j + row];
      for (int i = 0; i < 6 && j != rank; i++) A[6 * j + i] -= part * A[6 * rank + i];
    }
    rank++;
  }
  return rank;
}

// Motions of the joint of a link that nothing holds, reduced, into *out (6 x *rank), which the caller frees.
static lim_code unheld(double **out, int *rank, const search *p, int link, lim_error *err) {
  const lim_holding *h = &p->holding;
  double *A = calloc(6 * (size_t)h->neutral + (size_t)p->n + 1, sizeof *A),
         *all = A ? A + 6 * h->neutral : NULL;
  lim_code code = A ? LIM_OK : lim_no_memory(err);
  *out = A;
  for (int i = 0, k = 0; i < h->count && code == LIM_OK; i++) {
    double largest = 0;
    if (h->hold[i] != LIM_NEUTRAL) continue;
    spread(all, p, h->x + (size_t)i * (size_t)p->m);
    for (int l = 0; l < p->s.nbody; l++) {
      const lim_arm_body *b = &p->s.bodies[l];
      if (is_released(p, l)) largest = fmax(largest, fabs(all[b->q]) / (b->screw.turns ? 1 : p->size));
    }
    code = motion_of(A + 6 * k, p, link, all, err);
    for (int l = 0; l < 6 && largest > 0; l++) A[6 * k + l] /= largest;
    k++;
  }
  if (code == LIM_OK) *rank = reduce(A, h->neutral);
  return code;
}

lim_code lim_holding_check(const search *p, lim_error *err) {
  lim_code code = LIM_OK;
  for (int link = 0; link < p->s.model->links.count && code == LIM_OK && p->holding.neutral; link++) {
    double *A = NULL;
    int rank = 0;
    if (freedoms(p, link) == 0) continue;
    code = unheld(&A, &rank, p, link, err);
    free(A);
    if (code == LIM_OK && rank >= all_freedoms(p, link))
      code =
          LIM_FAIL(err, LIM_FAILED, "joint '%s': nothing holds it%s", name_of(p, link),
                   p->linear ? " to first order, where weights bring nothing back; 'geometry: nonlinear' finds "
                               "where it comes to rest"
                             : ": neither a spring nor a weight brings it back to where it is");
  }
  return code;
}

static lim_code warn_of_joint(const search *p, int link, lim_error *err) {
  double *A = NULL;
  int rank = 0;
  lim_text text = {0};
  lim_code code = unheld(&A, &rank, p, link, err);
  for (int k = 0; k < rank && code == LIM_OK; k++) {
    lim_text_add(&text, "%s", k == 0 ? "" : k + 1 < rank ? ", " : " and ");
    describe(&text, p, link, A + 6 * k);
  }
  if (code == LIM_OK && rank > 0)
    lim_warn(err, NAN, NULL,
             "joint '%s': nothing holds it against %s, and nothing pushes it: it rests in any such place",
             name_of(p, link), text.text ? text.text : "moving");
  lim_text_free(&text);
  free(A);
  return code;
}

static lim_code warn_of_leaving(const search *p, lim_error *err) {
  double motion[6], *all = calloc((size_t)p->n + 1, sizeof *all);
  if (!all) return lim_no_memory(err);
  lim_text text = {0};
  int k = 0;
  while (p->holding.hold[k] != LIM_UNSTABLE) k++;
  spread(all, p, p->holding.x + (size_t)k * (size_t)p->m);
  const int link = leader(p, all);
  lim_code code = motion_of(motion, p, link, all, err);
  if (code == LIM_OK) {
    describe(&text, p, link, motion);
    lim_warn(err, NAN, NULL,
             "the arm does not stay in this equilibrium: joint '%s' leaves it, %s; a configuration beside it "
             "leads to "
             "one that is stable",
             name_of(p, link), text.text ? text.text : "moving");
  }
  lim_text_free(&text);
  free(all);
  return code;
}

lim_code lim_holding_warn(const search *p, lim_error *err) {
  lim_code code = LIM_OK;
  for (int link = 0; link < p->s.model->links.count && code == LIM_OK && p->holding.neutral; link++)
    if (freedoms(p, link)) code = warn_of_joint(p, link, err);
  return code == LIM_OK && p->holding.unstable && p->stay ? warn_of_leaving(p, err) : code;
}

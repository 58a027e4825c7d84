// scene.c - the scene of a result as JSON. Layout: viewer/README.md.
#include "scene/scene.h"

#include "base/json.h"
#include "math/rotation.h"
#include "math/rotation_vector.h"
#include "model/joint.h"
#include "model/words.h"
#include "program/result.h"
#include "scene/outline.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  lim_json j;
  const lim_skeleton *k;
  const lim_arm *s, *rigid;
  const lim_model *m;
  lim_outline
      *outline; // all that differ                                          (count, room for two per node)
  int count;
} scene;

static void text(scene *c, const char *key, const char *value) {
  lim_json_key(&c->j, key);
  lim_json_text(&c->j, value);
}

static void whole(scene *c, const char *key, long x) {
  lim_json_key(&c->j, key);
  lim_json_int(&c->j, x);
}

static void number(scene *c, const char *key, double x) {
  lim_json_key(&c->j, key);
  lim_json_number(&c->j, x);
}

static void vector(scene *c, const char *key, const double x[3]) {
  lim_json_key(&c->j, key);
  lim_json_numbers(&c->j, x, 3);
}

static void list(scene *c, const char *key) {
  lim_json_key(&c->j, key);
  lim_json_list(&c->j);
}

// --- sections ---

// Number of the outline at the end of an element, new ones are added; -1: not known.
static int outline_at(scene *c, const lim_node_end *end) {
  const lim_mesh *mesh = end->body < 0 ? NULL : c->s->bodies[end->body].mesh;
  if (!mesh || mesh->nelement == 0) return -1; // a part that does not bend, as behind a guide
  lim_outline o = lim_outline_of(&mesh->element[end->at.element], end->at.s);
  if (!o.outer_count) return -1;
  for (int i = 0; i < c->count; i++)
    if (lim_outline_equal(&c->outline[i], &o)) return i;
  c->outline[c->count] = o;
  return c->count++;
}

static void outline_or_null(scene *c, int i) {
  if (i < 0)
    lim_json_number(&c->j, NAN);
  else
    lim_json_int(&c->j, i);
}

// Of every node as the element before it ends; then where another section follows.
static void link_outlines(scene *c, int link) {
  int first = c->k->first[link], end = c->k->first[link + 1];
  lim_json_key(&c->j, "outline");
  lim_json_flat(&c->j);
  for (int i = first; i < end; i++) outline_or_null(c, outline_at(c, &c->k->end[i][i == first]));
  lim_json_end(&c->j, ']');
  lim_json_key(&c->j, "steps");
  lim_json_flat(&c->j);
  for (int i = first + 1; i + 1 < end; i++) {
    int before = outline_at(c, &c->k->end[i][0]), after = outline_at(c, &c->k->end[i][1]);
    if (before == after) continue;
    lim_json_object(&c->j);
    whole(c, "node", i);
    lim_json_key(&c->j, "outline");
    outline_or_null(c, after);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

static void polygon(scene *c, const char *key, double p[][2], int count) {
  lim_json_key(&c->j, key);
  if (!count) {
    lim_json_number(&c->j, NAN);
    return;
  }
  lim_json_flat(&c->j);
  for (int i = 0; i < count; i++)
    lim_json_numbers(&c->j, (const double[2]){round(p[i][0] * 1e9) / 1e9, round(p[i][1] * 1e9) / 1e9}, 2); // nm
  lim_json_end(&c->j, ']');
}

static void outlines(scene *c) {
  list(c, "outlines");
  for (int i = 0; i < c->count; i++) {
    lim_json_object(&c->j);
    polygon(c, "outer", c->outline[i].outer, c->outline[i].outer_count);
    polygon(c, "inner", c->outline[i].inner, c->outline[i].inner_count);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

// --- links ---

// A rigid body, from which one with its inertia can be drawn.
static void body(scene *c, const lim_link *link) {
  lim_json_key(&c->j, "body");
  lim_json_object(&c->j);
  number(c, "mass", link->body.mass);
  vector(c, "com", link->body.com);
  lim_json_key(&c->j, "inertia");
  lim_json_numbers(&c->j, link->body.inertia, 6);
  lim_json_end(&c->j, '}');
}

static void links(scene *c) {
  list(c, "links");
  for (int i = 0; i < c->k->links; i++) {
    const int index = c->k->index[i];
    const lim_link *link = &c->m->links.item[index];
    bool beam = link->beam.head.node != NULL;
    lim_json_object(&c->j);
    text(c, "name", link->head.name);
    lim_json_key(&c->j, "beam");
    lim_json_bool(&c->j, beam);
    whole(c, "parent", lim_written_parent(c->m, index));
    whole(c, "first", c->k->first[i]);
    whole(c, "nodes", c->k->first[i + 1] - c->k->first[i]);
    if (link->body.head.node) body(c, link);
    if (c->s->bodies[c->s->first_body[index]].line->nelement) link_outlines(c, i);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

// --- what sits on the links ---

// The node of a link nearest to a place in link axes, and the way from there.
static int nearest(double offset[3], const scene *c, int link, const double place[3]) {
  int best = c->k->first[link];
  double min = INFINITY;
  for (int i = best; i < c->k->first[link + 1]; i++) {
    const double *X = c->k->reference[i].section.X;
    double d[3] = {place[0] - X[0], place[1] - X[1], place[2] - X[2]}, far = lim_dot(d, d);
    if (far >= min) continue;
    min = far;
    best = i;
    memcpy(offset, d, sizeof d);
  }
  return best;
}

// link, node and offset of a site of the rigid arm, whose bodies are the links. moved: further, in its axes.
static void seat(scene *c, const lim_site *site, const double moved[3]) {
  double offset[3], more[3];
  int link = site->body < 0 ? -1 : lim_written_number(c->m, c->rigid->bodies[site->body].link), node = -1;
  lim_rotate(more, site->Rc, moved);
  for (int i = 0; i < 3; i++) offset[i] = site->section.X[i] + site->c[i] + more[i];
  if (link >= 0 && site->section.back) // a place of its free length
    node =
        c->k->first[link] + (int)lround(site->section.place * (c->k->first[link + 1] - c->k->first[link] - 1));
  else if (link >= 0)
    node = nearest(offset, c, link, (const double[3]){offset[0], offset[1], offset[2]});
  for (int i = 0; i < 3; i++) offset[i] = fabs(offset[i]) < 1e-12 ? 0 : offset[i]; // rounding
  whole(c, "link", link);
  whole(c, "node", node);
  vector(c, "offset", offset);
}

// --- joints ---

// The frame in which a joint with several freedoms moves, and the direction of each as it stands at 0.
static void freedoms(scene *c, int index) {
  static const double nowhere[3];
  const int first = lim_first_part(c->m, index);
  const lim_site *on = &c->rigid->bodies[c->rigid->first_body[first]].on;
  double turn[3];
  lim_rotation_vector(turn, on->Rc);
  list(c, "axes");
  for (int i = first; i <= index; i++) lim_json_numbers(&c->j, c->m->links.item[i].joint.axis, 3);
  lim_json_end(&c->j, ']');
  lim_json_key(&c->j, "on");
  lim_json_object(&c->j);
  seat(c, on, nowhere);
  vector(c, "turn", turn);
  lim_json_end(&c->j, '}');
}

static void joints(scene *c) {
  list(c, "joints");
  for (int i = 0; i < c->k->links; i++) {
    const lim_joint *joint = &c->m->links.item[c->k->index[i]].joint;
    lim_json_object(&c->j);
    text(c, "name", joint->whole);
    text(c, "type", lim_joint_word(joint->kind));
    whole(c, "link", i);
    vector(c, "axis", joint->axis);
    if (lim_joint_is_part(joint)) freedoms(c, c->k->index[i]);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

// --- masses, motors ---

static void masses(scene *c) {
  list(c, "masses");
  for (int i = 0; i < c->m->links.count; i++) {
    const lim_link *link = &c->m->links.item[i];
    for (int k = 0; k < link->masses.count; k++) {
      const lim_mass *mass = &link->masses.item[k];
      lim_site site = c->rigid->site[1 + 2 * i].site, tip = c->rigid->site[2 + 2 * i].site;
      if (c->rigid->bodies[c->rigid->first_body[i]].inner) site = tip; // they are nowhere else
      for (int n = 0; n < 3; n++) // base and tip are ends of a straight line
        site.section.X[n] += mass->at.value * (tip.section.X[n] + tip.c[n] - site.section.X[n] - site.c[n]);
      lim_json_object(&c->j);
      text(c, "name", mass->head.name ? mass->head.name : "");
      seat(c, &site, mass->xyz);
      number(c, "mass", mass->mass);
      lim_json_end(&c->j, '}');
    }
  }
  lim_json_end(&c->j, ']');
}

// The frame that a spot names, on the rigid arm.
static lim_site spot_site(const scene *c, const lim_location *spot) {
  lim_site world = {.body = -1, .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  if (spot->kind == LIM_AT_FRAME) { // one named tip stands before all others
    const char *name = c->rigid->model->frames.item[spot->frame].head.name;
    for (int i = 0; i < c->rigid->nsite; i++)
      if (c->rigid->site[i].name == name) return c->rigid->site[i].site;
    return world;
  }
  return spot->link < 0 ? world : c->rigid->site[1 + 2 * spot->link + (spot->kind == LIM_AT_TIP)].site;
}

static void motors(scene *c) {
  list(c, "motors");
  for (int i = 0; i < c->m->drives.count; i++) {
    const lim_drive *d = &c->m->drives.item[i];
    const lim_joint *joint = &c->m->links.item[d->joint].joint;
    if (d->type != LIM_DRIVE_MOTOR) continue;
    lim_site on =
        d->motor.on.ref.text ? spot_site(c, &d->motor.on) : c->rigid->bodies[c->rigid->first_body[d->joint]].on;
    const double *own = d->motor.axis;
    bool given = own[0] * own[0] + own[1] * own[1] + own[2] * own[2] > 0;
    double axis[3];
    lim_rotate(axis, on.Rc, given ? own : joint->axis);
    lim_json_object(&c->j);
    text(c, "name", joint->head.name);
    seat(c, &on, d->motor.offset);
    vector(c, "axis", axis);
    number(c, "mass", d->motor.mass);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

// --- parts that a program grips ---

static void parts(scene *c) {
  const lim_program_result *plan = c->rigid->model->plan; // of the model whose program has run
  list(c, "parts");
  for (int i = 0; plan && i < plan->grips.count; i++) {
    const lim_grip *g = &plan->grips.item[i];
    if (!g->take) continue;
    double to = NAN; // held to the end
    for (int k = i + 1; k < plan->grips.count && isnan(to); k++)
      if (!plan->grips.item[k].take && strcmp(plan->grips.item[k].name, g->name) == 0)
        to = plan->grips.item[k].time;
    lim_site at = spot_site(c, &g->at);
    lim_json_object(&c->j);
    text(c, "name", g->name);
    seat(c, &at, g->xyz);
    number(c, "mass", g->mass);
    number(c, "from", g->time);
    number(c, "to", to);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

// --- frames ---

static bool same_site(const lim_site *a, const lim_site *b) {
  double far = 0;
  for (int i = 0; i < 3; i++) far += fabs(a->section.X[i] + a->c[i] - b->section.X[i] - b->c[i]);
  for (int i = 0; i < 9; i++) far += fabs(a->Rc[i] - b->Rc[i]);
  return a->body == b->body && far < 1e-12;
}

// tip, ends of links, named frames; of those at the same place the first.
static void frames(scene *c) {
  static const double nowhere[3];
  const lim_site *tool = c->rigid->nsite > 0 ? &c->rigid->site[c->rigid->tool].site : NULL;
  int count = 0, at = -1; // the tool
  list(c, "frames");
  for (int i = 0; i < c->rigid->nsite; i++) {
    const lim_named_site *x = &c->rigid->site[i];
    bool again = false;
    for (int k = 0; k < i; k++)
      again = again || (!c->rigid->site[k].hidden && same_site(&c->rigid->site[k].site, &x->site));
    if (again || x->hidden) continue;
    if (at < 0 && tool && same_site(tool, &x->site)) at = count;
    count++;
    double turn[3];
    lim_rotation_vector(turn, x->site.Rc);
    lim_json_object(&c->j);
    text(c, "name", x->name);
    seat(c, &x->site, nowhere);
    vector(c, "turn", turn);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
  whole(c, "tool", at);
}

// What joins two frames; its object stays open.
static void spring(scene *c, const char *name, const lim_location between[2]) {
  static const double nowhere[3];
  lim_json_object(&c->j);
  text(c, "name", name ? name : "");
  list(c, "ends");
  for (int i = 0; i < 2; i++) {
    lim_site site = spot_site(c, &between[i]);
    double turn[3];
    lim_rotation_vector(turn, site.Rc);
    lim_json_object(&c->j);
    seat(c, &site, nowhere);
    vector(c, "turn", turn);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

static void spring_elements(scene *c) {
  char word[LIM_WORD];
  list(c, "springs");
  for (int i = 0; i < c->m->springs.count; i++) {
    spring(c, c->m->springs.item[i].head.name, c->m->springs.item[i].between);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
  list(c, "bushings");
  for (int i = 0; i < c->m->bushings.count; i++) {
    spring(c, c->m->bushings.item[i].head.name, c->m->bushings.item[i].between);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
  list(c, "loops");
  for (int i = 0; i < c->m->loops.count; i++) {
    const lim_loop *loop = &c->m->loops.item[i];
    double axis[3];
    lim_rotate(axis, spot_site(c, &loop->between[0]).Rc, loop->axis);
    spring(c, loop->head.name, loop->between);
    text(c, "type", lim_word_at(word, "loops.type", loop->type));
    vector(c, "axis", axis);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

static void write(scene *c) {
  char word[LIM_WORD];
  lim_json_object(&c->j);
  vector(c, "gravity", c->m->gravity);
  lim_json_key(&c->j, "planar");
  if (c->m->planar == LIM_SPATIAL)
    lim_json_number(&c->j, NAN);
  else
    lim_json_text(&c->j, lim_word_at(word, "planar", c->m->planar));
  links(c);
  outlines(c);
  joints(c);
  masses(c);
  motors(c);
  parts(c);
  frames(c);
  spring_elements(c);
  lim_json_end(&c->j, '}');
}

lim_code lim_scene_json(lim_text *out, const lim_model *model, const lim_skeleton *k, const lim_arm *s,
                        const lim_arm *rigid, lim_error *err) {
  scene c = {.j = lim_json_start(out), .k = k, .s = s, .rigid = rigid, .m = model};
  c.outline = malloc((2 * (size_t)k->count + 1) * sizeof *c.outline);
  if (!c.outline) return lim_no_memory(err);
  write(&c);
  free(c.outline);
  return out->failed ? lim_no_memory(err) : LIM_OK;
}

// scene.c - the scene of a result as JSON. Layout: viewer/README.md.
#include "scene/scene.h"

#include "arm/pose.h"
#include "math/rotation.h"
#include "model/joint.h"
#include "model/words.h"
#include "program/result.h"
#include "scene/outline.h"
#include "scene/writer.h"

#include <stdlib.h>
#include <string.h>

// --- sections ---

// Number of the outline at the end of an element, new ones are added; -1: not known.
static int outline_at(lim_scene *c, const lim_node_end *end) {
  const lim_mesh *mesh = end->body < 0 ? NULL : c->s->bodies[end->body].mesh;
  if (!mesh || mesh->nelement == 0) return -1; // a part that does not bend, as behind a guide
  lim_outline o = lim_outline_of(&mesh->element[end->at.element], end->at.s);
  if (!o.outer_count) return -1;
  for (int i = 0; i < c->count; i++)
    if (lim_outline_equal(&c->outline[i], &o)) return i;
  c->outline[c->count] = o;
  return c->count++;
}

static void outline_or_null(lim_scene *c, int i) {
  if (i < 0)
    lim_json_number(&c->j, NAN);
  else
    lim_json_int(&c->j, i);
}

// Of every node as the element before it ends; then where another section follows.
static void link_outlines(lim_scene *c, int link) {
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
    lim_scene_int(c, "node", i);
    lim_json_key(&c->j, "outline");
    outline_or_null(c, after);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

static void polygon(lim_scene *c, const char *key, double p[][2], int count) {
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

static void outlines(lim_scene *c) {
  lim_scene_list(c, "outlines");
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
static void body(lim_scene *c, const lim_link *link) {
  lim_scene_object(c, "body");
  lim_scene_number(c, "mass", link->body.mass);
  lim_scene_vector(c, "com", link->body.com);
  lim_json_key(&c->j, "inertia");
  lim_json_numbers(&c->j, link->body.inertia, 6);
  lim_json_end(&c->j, '}');
}

static void links(lim_scene *c) {
  lim_scene_list(c, "links");
  for (int i = 0; i < c->k->links; i++) {
    const int index = c->k->index[i];
    const lim_link *link = &c->m->links.item[index];
    bool beam = link->beam.head.node != NULL;
    lim_json_object(&c->j);
    lim_scene_text(c, "name", link->head.name);
    lim_json_key(&c->j, "beam");
    lim_json_bool(&c->j, beam);
    lim_scene_int(c, "parent", lim_written_parent(c->m, index));
    lim_scene_int(c, "first", c->k->first[i]);
    lim_scene_int(c, "nodes", c->k->first[i + 1] - c->k->first[i]);
    if (link->body.head.node) body(c, link);
    if (c->s->bodies[c->s->first_body[index]].line->nelement) link_outlines(c, i);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

// --- what sits on the links ---

// --- masses, motors ---

static void masses(lim_scene *c) {
  lim_scene_list(c, "masses");
  for (int i = 0; i < c->m->links.count; i++) {
    const lim_link *link = &c->m->links.item[i];
    for (int k = 0; k < link->masses.count; k++) {
      const lim_mass *mass = &link->masses.item[k];
      lim_site site = c->rigid->site[1 + 2 * i].site, tip = c->rigid->site[2 + 2 * i].site;
      if (c->rigid->bodies[c->rigid->first_body[i]].inner) site = tip; // they are nowhere else
      if (link->fe.link) lim_pose_along(site.section.X, link, mass->at.value);
      for (int n = 0; n < 3 && !link->fe.link; n++) // base and tip are ends of a straight line
        site.section.X[n] += mass->at.value * (tip.section.X[n] + tip.c[n] - site.section.X[n] - site.c[n]);
      lim_json_object(&c->j);
      lim_scene_text(c, "name", mass->head.name ? mass->head.name : "");
      lim_scene_seat(c, &site, mass->xyz);
      lim_scene_number(c, "mass", mass->mass);
      lim_json_end(&c->j, '}');
    }
  }
  lim_json_end(&c->j, ']');
}

static void motors(lim_scene *c) {
  lim_scene_list(c, "motors");
  for (int i = 0; i < c->m->drives.count; i++) {
    const lim_drive *d = &c->m->drives.item[i];
    const lim_joint *joint = &c->m->links.item[d->joint].joint;
    if (d->type != LIM_DRIVE_MOTOR) continue;
    lim_site on = d->motor.on.ref.text ? lim_scene_site(c, &d->motor.on)
                                       : c->rigid->bodies[c->rigid->first_body[d->joint]].on;
    const double *own = d->motor.axis;
    bool given = own[0] * own[0] + own[1] * own[1] + own[2] * own[2] > 0;
    double axis[3];
    lim_rotate(axis, on.Rc, given ? own : joint->axis);
    lim_json_object(&c->j);
    lim_scene_text(c, "name", joint->head.name);
    lim_scene_seat(c, &on, d->motor.offset);
    lim_scene_vector(c, "axis", axis);
    lim_scene_number(c, "mass", d->motor.mass);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
}

// --- parts that a program grips ---

static void parts(lim_scene *c) {
  const lim_program_result *plan = c->rigid->model->plan; // of the model whose program has run
  lim_scene_list(c, "parts");
  for (int i = 0; plan && i < plan->grips.count; i++) {
    const lim_grip *g = &plan->grips.item[i];
    if (!g->take) continue;
    double to = NAN; // held to the end
    for (int k = i + 1; k < plan->grips.count && isnan(to); k++)
      if (!plan->grips.item[k].take && strcmp(plan->grips.item[k].name, g->name) == 0)
        to = plan->grips.item[k].time;
    lim_site at = lim_scene_site(c, &g->at);
    lim_json_object(&c->j);
    lim_scene_text(c, "name", g->name);
    lim_scene_seat(c, &at, g->xyz);
    lim_scene_number(c, "mass", g->mass);
    lim_scene_number(c, "from", g->time);
    lim_scene_number(c, "to", to);
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
static void frames(lim_scene *c) {
  const lim_site *tool = c->rigid->nsite > 0 ? &c->rigid->site[c->rigid->tool].site : NULL;
  int count = 0, at = -1; // the tool
  lim_scene_list(c, "frames");
  for (int i = 0; i < c->rigid->nsite; i++) {
    const lim_named_site *x = &c->rigid->site[i];
    bool again = false;
    for (int k = 0; k < i; k++)
      again = again || (!c->rigid->site[k].hidden && same_site(&c->rigid->site[k].site, &x->site));
    if (again || x->hidden) continue;
    if (at < 0 && tool && same_site(tool, &x->site)) at = count;
    count++;
    lim_json_object(&c->j);
    lim_scene_text(c, "name", x->name);
    lim_scene_frame(c, &x->site);
    lim_json_end(&c->j, '}');
  }
  lim_json_end(&c->j, ']');
  lim_scene_int(c, "tool", at);
}

static void write(lim_scene *c) {
  char word[LIM_WORD];
  lim_json_object(&c->j);
  lim_scene_vector(c, "gravity", c->m->gravity);
  lim_json_key(&c->j, "planar");
  if (c->m->planar == LIM_SPATIAL)
    lim_json_number(&c->j, NAN);
  else
    lim_json_text(&c->j, lim_word_at(word, "planar", c->m->planar));
  links(c);
  outlines(c);
  lim_scene_joints(c);
  masses(c);
  motors(c);
  parts(c);
  frames(c);
  lim_scene_bonds(c);
  lim_json_end(&c->j, '}');
}

lim_code lim_scene_json(lim_text *out, const lim_model *model, const lim_skeleton *k, const lim_arm *s,
                        const lim_arm *rigid, lim_error *err) {
  lim_scene c = {.j = lim_json_start(out), .k = k, .s = s, .rigid = rigid, .m = model};
  c.outline = malloc((2 * (size_t)k->count + 1) * sizeof *c.outline);
  if (!c.outline) return lim_no_memory(err);
  write(&c);
  free(c.outline);
  return out->failed ? lim_no_memory(err) : LIM_OK;
}

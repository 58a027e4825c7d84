// static.h - where the arm rests under gravity and loads. Theory: docs/theory/statics.md, docs/theory/beam.md.
#ifndef LIM_ANALYSIS_STATICS_STATIC_H
#define LIM_ANALYSIS_STATICS_STATIC_H

#include "analysis/statics/section_forces.h"

typedef struct {
  const char *name;
  double position[3], displacement[3]; // world, loaded; against the unloaded place
  double rotation[3];                  // rotation vector against the unloaded place, world
} lim_static_frame;

typedef struct {
  const char *name;
  bool slides;                // prismatic: its effort is a force
  bool released;              // it came to rest by itself
  double position;            // of its freedom [m], [rad]; NaN for joints without one, or with several
  bool turns, floats;         // spherical or free, free: they have what follows
  double rotation[3];         // how it is turned: rotation vector
  double translation[3];      // along the axes of its frame [m]
  double effort;              // along the joint's freedom, on the link; 0 for joints without one
  double stop;                // of its end stops, likewise; NaN: it has none
  double force[3], moment[3]; // of the joint on the link, about the joint, world
} lim_static_joint;

typedef struct {
  const char *name;
  const char *state; // "apart", "sticks" or "slides", which a contact without friction does
  double force[3];   // on the sphere, world
  double depth;
} lim_static_contact;

typedef struct {
  const char *link, *name;
  double strain, stress;
} lim_static_gauge;

typedef struct {
  const char *name;
  double stress;      // largest von Mises; NaN where the section's outline is not known
  double utilisation; // stress over the yield strength of its material; NaN: not given, or not known
  double turn;        // largest elastic rotation within one segment [rad]: must be small for linear elements
  double
      unstiffened; // change of its lowest frequency squared by geometric stiffening that is not known; 0: none
} lim_static_link;

typedef struct {
  lim_arena arena; // owns everything below
  LIM_LIST(lim_static_frame) frames;
  LIM_LIST(lim_static_joint) joints;
  LIM_LIST(lim_static_gauge) gauges;
  LIM_LIST(lim_static_contact) contacts;
  LIM_LIST(lim_static_link) links; // with a beam
  lim_rest arm;                    // as it rests, with all coordinates of its meshes; owned as well
  double *unloaded;                // its coordinates before it is loaded   (arm.s->n)
  lim_section_forces *inner;       // forces in its bodies                  (arm.s->nbody)
} lim_static;

// With all coordinates of the meshes, whatever the bases, but for links that are rigid. directory: of the model
// file, for tables; NULL: the working directory. The model must outlive the result.
lim_code lim_static_new(lim_static **out, const lim_model *model, const char *directory, lim_error *err);
void lim_static_free(lim_static *s);

#endif

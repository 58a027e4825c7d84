// surface.h - surfaces of links from finite elements, as they are drawn: the whole surface, or one with fewer
// vertices that looks like it. A vertex at X stands at X + sum shape_j eta_j in the axes of its body.
#ifndef LIM_SCENE_SURFACE_H
#define LIM_SCENE_SURFACE_H

#include "arm/body/kind.h"
#include "channel/strength.h"

enum { LIM_SURFACE_VERTICES = 20000 }; // at most

typedef struct {
  int link, body;   // of the skeleton, of the arm
  int n;            // coordinates, from the body's e on; 0: it is rigid
  int whole;        // vertices of the mesh there
  lim_fe_skin skin; // stress is not used
  float *shear;     // modulus of each vertex, 0: not known; NULL: of none   (skin.nvertex)
} lim_surface;

// Of a body; none (no triangle and no edge): out->skin.nvertex is 0. Memory from the arena, or the model's.
lim_code lim_surface_of(lim_surface *out, lim_arena *arena, const lim_arm *s, int body, lim_error *err);

// Largest von Mises stress, and the principal strain that is largest in size, of all vertices at eta (n).
// Stresses follow from the deviator e of the strain: sqrt(3/2 s:s) with s = 2 G e.
lim_strength lim_surface_strength(const lim_surface *x, const double *eta);

// Fewer than `most` vertices, one for all those within a cell that face alike; edges of elements fall away,
// those of beams stay. Inside src/scene only.
lim_code lim_surface_thin(lim_fe_skin *out, lim_arena *arena, const lim_fe_skin *skin, int n, int most,
                          lim_error *err);

#endif

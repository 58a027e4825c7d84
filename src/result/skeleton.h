// skeleton.h - the centre lines of all links as a list of nodes, for animation. Inside src/result only.
#ifndef LIM_RESULT_SKELETON_H
#define LIM_RESULT_SKELETON_H

#include "analysis/simulate.h"

// Nodes of a link stand together, from its base to its tip: those of its elements, or the two ends of a rigid
// body.
typedef struct {
  lim_arena arena;     // owns everything below
  int count;           // nodes
  int *link;           // of each                                              (count)
  double *x;           // distance along the link [m]                          (count)
  lim_site *site;      // in the system                                        (count)
  lim_site *reference; // in the rigid arm                                     (count)
} lim_skeleton;

lim_code lim_skeleton_new(lim_skeleton **out, const lim_system *s, const lim_system *rigid, lim_error *err);
void lim_skeleton_free(lim_skeleton *k);

// Positions and rotation vectors of the sections, and positions on the rigid reference; world. (3 count each)
void lim_skeleton_pose(float *position, float *rotation, float *reference, const lim_skeleton *k,
                       const lim_moment *m);

#endif

// skeleton.h - the centre lines of all links as a list of nodes, for animation. Inside src/result only.
#ifndef LIM_RESULT_SKELETON_H
#define LIM_RESULT_SKELETON_H

#include "analysis/inner.h"
#include "analysis/simulate.h"
#include "result/cut.h"

// The end of an element at a node.
typedef struct {
  int body; // -1: none
  lim_point at;
  lim_cut cut;
} lim_node_end;

// Nodes of a link stand together, from its base to its tip: those of its elements, or the two ends of a rigid
// body.
typedef struct {
  lim_arena arena; // owns everything below
  int count;       // nodes
  int links;
  int *link;              // of each                                           (count)
  int *first;             // node of each link, and count after the last       (links + 1)
  bool *slides;           // on a beam that slides through its joint           (count)
  double *x;              // distance along the link [m]                       (count)
  lim_site *site;         // in the system                                     (count)
  lim_site *reference;    // in the rigid arm: section.X is its place in link axes   (count)
  lim_node_end (*end)[2]; // of the elements before and after it               (count)
} lim_skeleton;

lim_code lim_skeleton_new(lim_skeleton **out, const lim_system *s, const lim_system *rigid, lim_error *err);
void lim_skeleton_free(lim_skeleton *k);

// Where all nodes are, world axes. All fields have room for all nodes.
typedef struct {
  float *position, *rotation; // and rotation vector of the section                        (3 count)
  float *reference;           // the same node on the rigid arm                            (3 count)
  float *displacement, *turn; // against the rigid arm, of node and section                (3 count)
  float *rigid;               // links of the rigid arm: position, rotation vector         (6 links)
  float *stress, *strain;     // largest of the section at each node; NaN: not known       (count)
} lim_frame_data;

// Never allocates. inner: of an arm at rest, whose forces are taken from it; NULL: they follow from the motion,
// and are not known of a moment without equations.
void lim_skeleton_pose(lim_frame_data *f, const lim_skeleton *k, const lim_moment *m, const lim_inner *inner);

#endif

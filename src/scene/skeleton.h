// skeleton.h - the centre lines of all links as a list of nodes, for animation. Links are those that the model
// file has, in its order: none that was put in for a freedom of a joint.
#ifndef LIM_SCENE_SKELETON_H
#define LIM_SCENE_SKELETON_H

#include "analysis/simulation/simulate.h"
#include "analysis/statics/section_forces.h"
#include "channel/section_force.h"
#include "channel/strength.h"
#include "scene/surface.h"

// The end of an element at a node.
typedef struct {
  int body; // -1: none
  lim_point at;
  lim_section_cut cut;
  const lim_critical_section *section; // the skeleton's; ends with the same section share it
} lim_node_end;

// Nodes of a link stand together, from its base to its tip: those of its elements, or the two ends of a rigid
// body.
typedef struct {
  lim_arena arena; // owns everything below
  int count;       // nodes
  int links;
  int *link;                      // of each                                           (count)
  int *first;                     // node of each link, and count after the last       (links + 1)
  int *index;                     // of each link in the model                         (links)
  bool *slides;                   // on a beam that slides through its joint           (count)
  int *node;                      // of its body's line                                (count)
  double *x;                      // distance along the link [m]                       (count)
  lim_site *site;                 // in the system                                     (count)
  lim_site *reference;            // in the rigid arm: section.X is its location in link axes   (count)
  lim_node_end (*end)[2];         // of the elements before and after it               (count)
  lim_strength_sections sections; // of the ends
  int surfaces;
  lim_surface *surface; // of links from finite elements, in the order of the links   (surfaces)
} lim_skeleton;

lim_code lim_skeleton_new(lim_skeleton **out, const lim_arm *s, const lim_arm *rigid, lim_error *err);
void lim_skeleton_free(lim_skeleton *k);

// Where all nodes are, world axes. All fields have room for all nodes.
typedef struct {
  float *position, *rotation; // and rotation vector of the section                        (3 count)
  float *reference;           // the same node on the rigid arm                            (3 count)
  float *displacement, *turn; // against the rigid arm, of node and section                (3 count)
  float *deflection, *bend;   // the same against the rigid arm that lags as the arm does  (3 count)
  float *rigid, *lagging;     // links of both rigid arms: position, rotation vector       (6 links)
  float *stress, *strain;     // largest of the section at each node; NaN: not known       (count)
                              // of a link with a surface: largest of that, at all its nodes
  float **coordinates;        // of each surface that bends   (surfaces, n each)
} lim_frame_data;

// Never allocates. inner: of an arm at rest, whose forces are taken from it; NULL: they follow from the motion,
// and are not known of a snapshot without equations.
void lim_skeleton_pose(lim_frame_data *f, const lim_skeleton *k, const lim_snapshot *m,
                       const lim_section_forces *inner);

#endif

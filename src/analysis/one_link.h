// one_link.h - a single link on its joint, in a configuration: what static and modes share.
#ifndef LIM_ANALYSIS_ONE_LINK_H
#define LIM_ANALYSIS_ONE_LINK_H

#include "beam/load.h"
#include "model/model.h"
#include "system/pose.h"

typedef struct {
  lim_arena arena; // owns everything below but the mesh
  const lim_model *model;
  const lim_link *link;
  double R[9], origin[3]; // the link's frame in the world
  bool keep[6];           // nodal coordinates that the plane leaves
  lim_mesh *mesh;         // NULL: no beam
  lim_band M;             // beam and concentrated masses
  double gravity[3];      // link axes; of this and all loads the part in the model's plane
  int nload;
  lim_point_load *load; // concentrated loads as at t = 0, and the weights of concentrated masses, link axes
  double (*offset)[3];  // their rigid offsets from the axis                                       (nload)
  double q[3];          // load per length, link axes
  int nfree;            // freedoms of the joint
  double freedom[6][6]; // each a motion of the base: velocity, angular velocity, link axes    (nfree)
  double stiffness, damping; // of the servo; 0: none
} lim_one_link;

// A frame of the model: where it is and how it is carried.
typedef struct {
  const char *name; // as the user writes it
  int link;         // -1: the world
  double fraction;  // place on the link
  double xyz[3];    // offset, link axes
} lim_carried;

// Set up; refuses what a single link cannot have. End with lim_one_link_free, also after a failure.
lim_code lim_one_link_start(lim_one_link *a, const lim_model *model, lim_error *err);
void lim_one_link_free(lim_one_link *a);

// Every frame of the model: tip, link.base, link.tip, then the named ones. List and names are the arena's.
lim_carried *lim_one_link_frames(const lim_one_link *a, lim_arena *arena, int *count);

// Rigid inertia of the whole link about its frame (6 x 6 by rows): velocity first, then angular velocity.
void lim_one_link_inertia(double I[36], const lim_one_link *a);

// Resultant of all loads, weights included, about the link's frame: force, moment, link axes.
void lim_one_link_resultant(double f[6], const lim_one_link *a);

// S = sum of F r' (3 x 3 by rows) over all forces F, weights included, r from the link's frame, link axes.
void lim_one_link_virial(double S[9], const lim_one_link *a);

#endif

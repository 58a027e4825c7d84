// frequency_track.h - natural frequencies along a motion: of the undeformed arm with its joints where they are
// now. Theory: docs/theory/modes.md (1)-(3), without speeds.
#ifndef LIM_ANALYSIS_VIBRATION_FREQUENCY_TRACK_H
#define LIM_ANALYSIS_VIBRATION_FREQUENCY_TRACK_H

#include "integrate/equations.h"

typedef struct {
  lim_arena arena; // owns everything below but w
  const lim_arm *s;
  lim_rec_work *w; // its own, so that nothing of a simulation changes
  int count;
  double *frequency; // as of the last evaluation, ascending; NaN where there are fewer modes [Hz]  (count)
  double *q;         // joints as they are, links undeformed                                        (n)
  double *M, *K;     // of all coordinates; K of the deformations only                              (n x n)
  int *index;        // coordinates that move                                                       (n)
  bool assembled;    // K is there, and does not change
  double *whole;     // K with drives and springs                                                   (n x n)
  lim_drive_answer *answer; // of drives about small motions                                          (nbody)
  double *reduced_M; // of the coordinates that move                                                (n x n)
  double *reduced_K; //                                                                             (n x n)
  double *lambda, *scratch; // (n), (4 n)
  double *z;     // modes in the coordinates that move                                          (n x n)
  double *shape; // of all coordinates, one after the other, M-orthonormal; 0 where there are fewer  (n x count)
  double *basis; // of closed chains: motions that keep them closed                             (n x n)
  double *G;     // rows of loops, of all coordinates and of those that move                    (2 nrow x n)
} lim_frequency_track;

// For the `count` lowest frequencies and their shapes. The system must outlive it.
lim_code lim_frequency_track_new(lim_frequency_track **out, const lim_arm *s, int count, lim_error *err);
void lim_frequency_track_free(lim_frequency_track *x);

// At the joint positions in q (n): prescribed joints locked, servos and controlled motors held, others free;
// rigid-body modes are left out. e: of the same system. After a failure all are NaN. Allocates.
lim_code lim_frequency_track_evaluate(lim_frequency_track *x, const lim_equations *e, const double *q,
                                      lim_error *err);

#endif

// sums.h - the inertia data of a body in a floating frame while they are summed. Inside src/body and src/fe.
#ifndef LIM_BODY_SUMS_H
#define LIM_BODY_SUMS_H

#include "body/body.h"

typedef struct {
  lim_body *body;
  bool whole;      // all entries of S stay, those that are 0 too: the same whatever masses it carries
  double *S[3][3]; // general bands: (i, j) at i (2 width + 1) + j - i + width   (n (2 width + 1))
} lim_body_sums;

// All 0, for a body whose n and width are set; memory for S from scratch. False: out of memory.
bool lim_body_sums_start(lim_body_sums *s, lim_arena *scratch, lim_body *body);

// A point of mass w at X, moved by the first three rows of A (6 x count by rows), by the coordinates `index`.
void lim_body_add_point(lim_body_sums *s, double w, const double X[3], const double *A, const int *index,
                        int count);

// A section of rotary inertia J (xx yy zz xy xz yz), turned by the last three rows of A.
void lim_body_add_rotary(lim_body_sums *s, const double J[6], const double *A, const int *index, int count);

// x to entry (i, j) of a symmetric lower band, if it is there.
void lim_body_add_band(double *band, int width, int i, int j, double x);

// Adds to H of a point the offset r of a concentrated mass: theta x (theta x r), theta from rows T (3 x count).
// False: out of memory.
bool lim_body_turn_offset(lim_body_point *p, lim_arena *arena, const double *T, const double r[3]);

// S and B of the body, and the rows that are read at every residual. False: out of memory.
bool lim_body_sums_end(lim_body_sums *s);

#endif

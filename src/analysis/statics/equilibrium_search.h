// equilibrium_search.h - the search for an equilibrium: the arm under part of its load, Newton's method,
// stability. Used by equilibrium.c alone. Theory: docs/theory/statics.md (1)-(5).
#ifndef LIM_ANALYSIS_STATICS_EQUILIBRIUM_SEARCH_H
#define LIM_ANALYSIS_STATICS_EQUILIBRIUM_SEARCH_H

#include "analysis/statics/released/holding.h"
#include "analysis/statics/stability.h"
#include "analysis/vibration/tangent.h"

typedef struct {
  lim_arena arena;
  lim_equations *e;
  double t;
  bool stay;   // only an equilibrium at which the arm stays is wanted
  bool dense;  // by matrices, however many unknowns there are
  bool linear; // to first order in the loads, from the unloaded arm
  bool leaves; // past a load from which the arm leaves its equilibrium, though there is no other
  int n, m;
  lim_arm s;          // the arm with part of its gravity; all else is borrowed
  lim_rec_work *w;    // of s
  lim_slope *slope;   // of s; NULL: not made yet
  const double *v;    // speeds                                                    (n)
  double *part_v;     // times the root of the part: centrifugal forces grow with it   (n)
  double *zero;       // (n)
  double *q, *start;  // the search; unloaded                                      (n)
  double *kept, *r;   // the last point that was reached; residual                 (n)
  double *way;        // from the point before to it; 0: none yet                  (n)
  double *x, *image;  // correction (m); scratch (n)
  double *nodes;      // of one body                                               (ndof)
  int *index, *pivot; // the unknowns                                              (m)
  bool *released;     // coordinates of joints that come to rest by themselves       (n)
  int nreleased;
  double size;   // of the arm, where joints are released [m]
  double *T, *A; // tangent (n x n), of the unknowns (m x m); from make_tangent on
  // closed chains
  double *G, *packed; // rows (nrow x n), of the unknowns (nrow x m)
  double *B, *b;      // the unknowns with the multipliers (m + nrow)^2, (m + nrow)
  double *unit;       // their scales                                              (m + nrow)
  // what was found on the way
  double noise;          // the last correction where rounding kept it from becoming smaller, relative
  lim_stability verdict; // of the last check
  bool unjudged;         // that check had too many unknowns to look for flutter
  lim_holding holding;   // of released joints: motions that nothing holds
  lim_arena looked;      // owns them
} lim_equilibrium_search;

void lim_equilibrium_search_load(lim_equilibrium_search *p, double part);
void lim_equilibrium_search_residual(lim_equilibrium_search *p);

// Take the correction x of the unknowns: q -= x. Its size, that of what has been found so far, and that of
// rounding; INFINITY where something is not finite.
double lim_equilibrium_search_correct(lim_equilibrium_search *p, double *largest, double *rounding);

// The largest rotation of a section against its body's frame [rad]; sliding beams left out.
double lim_equilibrium_search_turn(lim_equilibrium_search *p);

// By how much bodies have turned within themselves since `kept`, all together [rad]; negative where that leads
// back the way by which `kept` was reached.
double lim_equilibrium_search_turned(lim_equilibrium_search *p);

// Newton's method at the present load from q. *done: it has converged to an equilibrium, and, where that is
// wanted, to one at which the arm stays.
lim_code lim_equilibrium_search_newton(bool *done, lim_equilibrium_search *p, lim_error *err);

// The tangent at q into A (m x m), after a residual; the mass matrix there into M (m x m), which takes T.
// scratch (4 n)
lim_code lim_equilibrium_search_tangent(lim_equilibrium_search *p, lim_error *err);
void lim_equilibrium_search_mass(double *M, lim_equilibrium_search *p, double *scratch);

// x = A^-1 r of the unknowns, and the multipliers of closed chains, which also close. A is destroyed. False: no
// solution.
bool lim_equilibrium_search_solve(lim_equilibrium_search *p);

// N (m x m by columns): of an arm with loops, the first *free columns are the motions of the unknowns that keep
// them closed. After a residual.
lim_code lim_equilibrium_search_motions(double *N, int *free, lim_equilibrium_search *p, lim_error *err);

// Write ball joints that have turned far, or all of them, anew about where they are: q, start, the arms of the
// run.
void lim_equilibrium_search_recentre(lim_equilibrium_search *p, bool all);

// The unloaded arm, and to first order what all of its load adds: q = start - T^-1 r, T without loads.
lim_code lim_equilibrium_search_linear(lim_equilibrium_search *p, lim_error *err);

// One over the condition number of the stiffness of the unloaded arm, its coordinates made comparable; 1 where
// there are too many of them to look.
double lim_equilibrium_search_condition(lim_equilibrium_search *p, lim_error *err);

// Whether the arm stays at q: as exactly as its number of unknowns allows, `last` with the eigenvalues of its
// dynamics where forces have no potential.
lim_code lim_equilibrium_search_check(bool *stable, lim_equilibrium_search *p, bool last, lim_error *err);

#endif

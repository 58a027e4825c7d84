// wrist.h - revolute joints whose axes meet, and the rotations they make. Theory: docs/theory/kinematics.md
// (15), (16).
#ifndef LIM_KINEMATICS_WRIST_H
#define LIM_KINEMATICS_WRIST_H

#include <stdbool.h>

// Angle about the unit vector k from a to b, both as seen along k. False: one of them lies along k (within
// `tiny`).
bool lim_turn_between(double *angle, const double k[3], const double a[3], const double b[3], double tiny);

// Angle about k whose rotation is nearest to Q.
double lim_turn_nearest(const double k[3], const double Q[9]);

// Angles with exp(k0 q0) exp(k1 q1) exp(k2 q2) = Q, two triples. Where the first and the last axis get in line,
// q0 is that of near (3). Where there is none, the nearest in the middle joint. Returns how many: 2, or 1 where
// they are equal.
int lim_turn_three(double q[2][3], const double *const k[3], const double Q[9], const double near[3]);

// Solutions x of a cos x + b sin x = c. Where there is none by a little or much, the nearest. Returns how many:
// 1 or 2; 0: a and b are 0.
int lim_turn_sum(double x[2], double a, double b, double c);

#endif

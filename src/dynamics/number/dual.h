// dual.h - a number and its derivative.
#ifndef LIM_DYNAMICS_NUMBER_DUAL_H
#define LIM_DYNAMICS_NUMBER_DUAL_H

typedef struct {
  double x, d; // value, derivative
} lim_dual;

#endif

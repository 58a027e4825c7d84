// gauss.h - Gauss-Legendre points and weights on 0..1.
#ifndef LIM_MATH_GAUSS_H
#define LIM_MATH_GAUSS_H

enum { LIM_GAUSS_MAX = 5 };

// n points integrate polynomials of degree 2n - 1 exactly over 0..1.
typedef struct {
  int n;
  double s[LIM_GAUSS_MAX], w[LIM_GAUSS_MAX];
} lim_gauss;

// The rule with n points, 1 <= n <= LIM_GAUSS_MAX; none for n = 0.
static inline lim_gauss lim_gauss_rule(int n) {
  static const lim_gauss rule[LIM_GAUSS_MAX + 1] = {
      {0, {0}, {0}},
      {1, {0.5}, {1.0}},
      {2, {0.21132486540518711775, 0.78867513459481288225}, {0.5, 0.5}},
      {3,
       {0.11270166537925831148, 0.5, 0.88729833462074168852},
       {0.27777777777777777778, 0.44444444444444444444, 0.27777777777777777778}},
      {4,
       {0.06943184420297371239, 0.33000947820757186760, 0.66999052179242813240, 0.93056815579702628761},
       {0.17392742256872692869, 0.32607257743127307131, 0.32607257743127307131, 0.17392742256872692869}},
      {5,
       {0.04691007703066800360, 0.23076534494715845448, 0.5, 0.76923465505284154552, 0.95308992296933199640},
       {0.11846344252809454376, 0.23931433524968323402, 0.28444444444444444444, 0.23931433524968323402,
        0.11846344252809454376}},
  };
  return rule[n];
}

#endif

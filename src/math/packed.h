// packed.h - sums and maxima over arrays that do not wait for the entry before: sums two entries at a time, in
// portable C that compilers turn into packed instructions. Their order, and so their rounding, is the same
// everywhere.
#ifndef LIM_MATH_PACKED_H
#define LIM_MATH_PACKED_H

#include <math.h>

typedef double lim_pair __attribute__((vector_size(16), aligned(8), may_alias)); // at any address of doubles
typedef double lim_lanes __attribute__((vector_size(16)));                       // at its own

static inline lim_pair lim_pair_at(const double *x) { return *(const lim_pair *)x; }

static inline double lim_larger(double a, double b) { return a > b ? a : b; }

// Largest |x|; what is not a number is passed over.
static inline double lim_packed_max(const double *x, int n) {
  double a = 0, b = 0, c = 0, d = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    a = lim_larger(fabs(x[i]), a);
    b = lim_larger(fabs(x[i + 1]), b);
    c = lim_larger(fabs(x[i + 2]), c);
    d = lim_larger(fabs(x[i + 3]), d);
  }
  for (; i < n; i++) a = lim_larger(fabs(x[i]), a);
  return lim_larger(lim_larger(a, b), lim_larger(c, d));
}

// z = x + k y; z may be x
static inline void lim_packed_axpy(double *z, const double *x, double k, const double *y, int n) {
  int i = 0;
  for (; i + 2 <= n; i += 2) *(lim_pair *)(z + i) = lim_pair_at(x + i) + k * lim_pair_at(y + i);
  if (i < n) z[i] = x[i] + k * y[i];
}

// z = a x + b y + c u; z may be any of them
static inline void lim_packed_sum3(double *z, double a, const double *x, double b, const double *y, double c,
                                   const double *u, int n) {
  int i = 0;
  for (; i + 2 <= n; i += 2)
    *(lim_pair *)(z + i) = a * lim_pair_at(x + i) + b * lim_pair_at(y + i) + c * lim_pair_at(u + i);
  if (i < n) z[i] = a * x[i] + b * y[i] + c * u[i];
}

static inline void lim_packed_negate(double *x, int n) {
  int i = 0;
  for (; i + 2 <= n; i += 2) *(lim_pair *)(x + i) = -lim_pair_at(x + i);
  if (i < n) x[i] = -x[i];
}

// sum x; not finite where an entry is not
static inline double lim_packed_sum(const double *x, int n) {
  lim_pair even = {0, 0}, odd = {0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    even += lim_pair_at(x + i);
    odd += lim_pair_at(x + i + 2);
  }
  even += odd;
  double sum = even[0] + even[1];
  for (; i < n; i++) sum += x[i];
  return sum;
}

// sum (w x) (w y)
static inline double lim_packed_product(const double *x, const double *y, const double *w, int n) {
  lim_pair even = {0, 0}, odd = {0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    const lim_pair k = lim_pair_at(w + i), l = lim_pair_at(w + i + 2);
    even += k * lim_pair_at(x + i) * (k * lim_pair_at(y + i));
    odd += l * lim_pair_at(x + i + 2) * (l * lim_pair_at(y + i + 2));
  }
  even += odd;
  double sum = even[0] + even[1];
  for (; i < n; i++) sum += w[i] * x[i] * (w[i] * y[i]);
  return sum;
}

#endif

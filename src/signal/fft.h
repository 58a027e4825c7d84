// fft.h - discrete Fourier transforms of real numbers, in double precision. Inside src/signal only.
//
//   X_k = sum_j x_j exp(-2 pi i j k/n),  k = 0 .. n/2;  the others are conjugate: X_(n-k) = X_k*
//
// n is even. Lengths of factors 2, 3 and 5 are fast; a prime factor p costs n p.
#ifndef LIM_SIGNAL_FFT_H
#define LIM_SIGNAL_FFT_H

#include "base/error.h"

typedef struct {
  double re, im;
} lim_complex;

typedef struct {
  int n;
  int factor[32];       // of n/2, the last of them is 1
  lim_complex *turn;    // exp(-2 pi i k/n)                            (n)
  lim_complex *half;    // transform of n/2 complex numbers           (n/2)
  lim_complex *scratch; // of one butterfly                           (largest factor)
} lim_fft;

// The smallest even product of 2, 3 and 5 that is not less; from 1 to 2^29.
int lim_fft_size(int least);

// End it also after a failure.
lim_code lim_fft_start(lim_fft *f, int n, lim_error *err);
void lim_fft_end(lim_fft *f);

// X (n/2 + 1) of x (n); f has its scratch: one thread at a time.
void lim_fft_real(lim_complex *X, const lim_fft *f, const double *x);

#endif

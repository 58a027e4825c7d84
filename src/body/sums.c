// sums.c - inertia data of a body, summed. Theory: docs/theory/body.md.
#include "body/sums.h"

#include "math/rotation.h"

#include <math.h>

// --- sums ---

void lim_body_add_band(double *band, int width, int i, int j, double x) {
  if (j <= i) band[i * (width + 1) + j - i + width] += x;
}

void lim_body_add_point(lim_body_sums *s, double w, const double X[3], const double *A, const int *index,
                        int c) {
  lim_body *b = s->body;
  int n = b->n, general = 2 * b->width + 1;
  b->mass += w;
  for (int i = 0; i < 3; i++) {
    b->moment[i] += w * X[i];
    b->inertia[i] += w * (lim_dot(X, X) - X[i] * X[i]);
  }
  b->inertia[3] -= w * X[0] * X[1];
  b->inertia[4] -= w * X[0] * X[2];
  b->inertia[5] -= w * X[1] * X[2];
  for (int j = 0; j < c; j++) {
    int q = index[j];
    double N[3] = {A[j], A[c + j], A[2 * c + j]}, XN[3];
    lim_cross(XN, X, N);
    for (int i = 0; i < 3; i++) {
      b->first[i * n + q] += w * N[i];
      b->second[i * n + q] += w * XN[i];
      b->inertia1[i * n + q] += 2 * w * (lim_dot(X, N) - X[i] * N[i]);
    }
    b->inertia1[3 * n + q] -= w * (X[0] * N[1] + X[1] * N[0]);
    b->inertia1[4 * n + q] -= w * (X[0] * N[2] + X[2] * N[0]);
    b->inertia1[5 * n + q] -= w * (X[1] * N[2] + X[2] * N[1]);
    for (int i = 0; i < c; i++) {
      int p = index[i];
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          s->S[k][l][p * general + q - p + b->width] += w * A[k * c + i] * A[l * c + j];
      lim_body_add_band(b->M, b->width, p, q,
                        w * (A[i] * A[j] + A[c + i] * A[c + j] + A[2 * c + i] * A[2 * c + j]));
    }
  }
}

void lim_body_add_rotary(lim_body_sums *s, const double J[6], const double *A, const int *index, int c) {
  lim_body *b = s->body;
  int n = b->n;
  const double full[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
  for (int i = 0; i < 6; i++) b->inertia[i] += J[i];
  for (int j = 0; j < c; j++) {
    double T[3] = {A[3 * c + j], A[4 * c + j], A[5 * c + j]}, JT[3];
    lim_rotate(JT, full, T);
    for (int i = 0; i < 3; i++) b->second[i * n + index[j]] += JT[i];
    for (int i = 0; i < c; i++)
      lim_body_add_band(b->M, b->width, index[i], index[j],
                        JT[0] * A[3 * c + i] + JT[1] * A[4 * c + i] + JT[2] * A[5 * c + i]);
  }
}

bool lim_body_turn_offset(lim_body_point *p, lim_arena *arena, const double *T, const double r[3]) {
  int c = p->count;
  for (int l = 0; l < 3; l++) {
    if (!p->H[l]) p->H[l] = lim_arena_array(arena, (size_t)c * (size_t)c, sizeof(double));
    if (!p->H[l]) return false;
    for (int i = 0; i < c; i++)
      for (int j = 0; j < c; j++)
        for (int k = 0; k < 3; k++) {
          const double *t = T + k * c, *own = T + l * c;
          p->H[l][i * c + j] += (own[i] * t[j] + t[i] * own[j]) * r[k] / 2 - r[l] * t[i] * t[j];
        }
  }
  return true;
}

// --- sparse matrices ---

// a S + b S' of general bands, entries above rounding only.
static bool compress(lim_sparse *out, const lim_body_sums *s, const double *S, double a, double b,
                     const double *T) {
  lim_body *body = s->body;
  int n = body->n, width = body->width, general = 2 * width + 1, count = 0;
  double largest = 0;
  for (int i = 0; i < n * general; i++) largest = fmax(largest, fmax(fabs(S[i]), fabs(T[i])));
  for (int pass = 0; pass < 2; pass++) {
    count = 0;
    for (int i = 0; i < n; i++) {
      if (pass) out->start[i] = count;
      for (int j = i > width ? i - width : 0; j < n && j <= i + width; j++) {
        double x = a * S[i * general + j - i + width] + b * T[i * general + j - i + width];
        if (fabs(x) <= 1e-14 * largest && !s->whole) continue;
        if (pass) {
          out->column[count] = j;
          out->value[count] = x;
        }
        count++;
      }
    }
    if (pass) break;
    *out = (lim_sparse){.n = n, .start = lim_arena_array(&body->arena, (size_t)n + 1, sizeof *out->start)};
    out->column = lim_arena_array(&body->arena, (size_t)count, sizeof *out->column);
    out->value = lim_arena_array(&body->arena, (size_t)count, sizeof *out->value);
    if (!out->start || !out->column || !out->value) return false;
  }
  out->start[n] = count;
  return true;
}

static bool compress_all(lim_body_sums *s) {
  static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  bool good = true;
  for (int i = 0; i < 6 && good; i++) {
    int k = pair[i][0], l = pair[i][1];
    good = compress(&s->body->S[i], s, s->S[k][l], 0.5, 0.5, s->S[l][k]);
  }
  for (int j = 0; j < 3 && good; j++) {
    int k = (j + 1) % 3, l = (j + 2) % 3;
    good = compress(&s->body->B[j], s, s->S[k][l], 1, -1, s->S[l][k]);
  }
  return good;
}

// --- whole rows ---

static double band_at(const double *B, int width, int i, int j) {
  int row = i > j ? i : j, distance = i > j ? i - j : j - i;
  return distance > width ? 0 : B[row * (width + 1) + width - distance];
}

static void add_sparse_row(double *row, int start, const lim_sparse *S, int i) {
  for (int k = S->start[i]; k < S->start[i + 1]; k++) row[S->column[k] - start] += S->value[k];
}

// What is multiplied at every residual, in the order in which it is read.
static bool fill_rows(lim_body *b) {
  b->reach = 2 * b->width + 1 < b->n ? 2 * b->width + 1 : b->n;
  b->rows = lim_arena_array(&b->arena, 3 * (size_t)b->n * (size_t)b->reach, sizeof *b->rows);
  for (int i = 0; b->rows && i < b->n; i++) {
    int start = lim_body_row_start(b, i);
    double *M = b->rows + 3 * (size_t)i * (size_t)b->reach, *K = M + b->reach, *S = K + b->reach;
    for (int k = 0; k < b->reach; k++) {
      M[k] = band_at(b->M, b->width, i, start + k);
      K[k] = band_at(b->K, b->width, i, start + k);
    }
    add_sparse_row(S, start, &b->S[0], i);
    add_sparse_row(S, start, &b->S[1], i);
  }
  return b->rows != NULL;
}

// --- set-up ---

static bool take_body(lim_body *b) {
  size_t n = (size_t)b->n, band = n * (size_t)(b->width + 1);
  b->first = lim_arena_array(&b->arena, 3 * n, sizeof(double));
  b->second = lim_arena_array(&b->arena, 3 * n, sizeof(double));
  b->inertia1 = lim_arena_array(&b->arena, 6 * n, sizeof(double));
  b->M = lim_arena_array(&b->arena, band, sizeof(double));
  b->K = lim_arena_array(&b->arena, band, sizeof(double));
  return b->first && b->second && b->inertia1 && b->M && b->K;
}

bool lim_body_sums_start(lim_body_sums *s, lim_arena *scratch, lim_body *body) {
  size_t band = (size_t)body->n * (2 * (size_t)body->width + 1);
  *s = (lim_body_sums){.body = body};
  bool good = take_body(body);
  for (int i = 0; i < 9 && good; i++)
    good = (s->S[i / 3][i % 3] = lim_arena_array(scratch, band, sizeof(double))) != NULL;
  return good;
}

bool lim_body_sums_end(lim_body_sums *s) { return compress_all(s) && fill_rows(s->body); }

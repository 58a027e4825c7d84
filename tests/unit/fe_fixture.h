// fe_fixture.h - meshes of blocks and plates with every shape of elements, and displacements on them.
#ifndef LIM_TEST_FE_FIXTURE_H
#define LIM_TEST_FE_FIXTURE_H

#include "fe/surface/shape_functions.h"
#include "fe/surface/surface.h"

#include <stdlib.h>
#include <string.h>

// n x n x n cells (plates: n x n) of a cube of side 1. Nodes are a grid of 2 n + 1 each way, of which corners
// have even numbers.
typedef struct {
  lim_fe_mesh mesh;
  int grid;
  lim_fe_material material[2];
  double *u; // (6 nnode)
} fe_block;

// Cells as elements, by corners x + 2 y + 4 z of the cell: Kuhn's six tetrahedra, two wedges, one hexahedron.
static const struct {
  int pieces, corner[6][8];
} CELL[LIM_FE_SHAPES] = {
#define TETS                                                                                                   \
  {                                                                                                            \
    6, {                                                                                                       \
      {0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, { 0, 5, 1, 7 }                     \
    }                                                                                                          \
  }
#define WEDGES                                                                                                 \
  {                                                                                                            \
    2, {                                                                                                       \
      {0, 1, 3, 4, 5, 7}, { 0, 3, 2, 4, 7, 6 }                                                                 \
    }                                                                                                          \
  }
#define HEXES                                                                                                  \
  {                                                                                                            \
    1, {                                                                                                       \
      { 0, 1, 3, 2, 4, 5, 7, 6 }                                                                               \
    }                                                                                                          \
  }
    [LIM_FE_TET4] = TETS,
    [LIM_FE_TET10] = TETS,
    [LIM_FE_WEDGE6] = WEDGES,
    [LIM_FE_WEDGE15] = WEDGES,
    [LIM_FE_HEX8] = HEXES,
    [LIM_FE_HEX20] = HEXES,
    [LIM_FE_TRI3] = {2, {{0, 1, 3}, {0, 3, 2}}},
    [LIM_FE_TRI6] = {2, {{0, 1, 3}, {0, 3, 2}}},
    [LIM_FE_QUAD4] = {1, {{0, 1, 3, 2}}},
    [LIM_FE_QUAD8] = {1, {{0, 1, 3, 2}}}};

// Ends of the edges with nodes in the middle, as the manual of CalculiX draws them.
static const int ENDS[LIM_FE_SHAPES][12][2] = {
    [LIM_FE_TET10] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
    [LIM_FE_WEDGE15] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}},
    [LIM_FE_HEX20] =
        {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}},
    [LIM_FE_TRI6] = {{0, 1}, {1, 2}, {2, 0}},
    [LIM_FE_QUAD8] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}}};

static int block_node(const fe_block *b, const int at[3]) {
  return at[0] + b->grid * (at[1] + b->grid * at[2]);
}

static void add_piece(fe_block *b, lim_fe_shape shape, const int cell[3], const int *corner) {
  const lim_fe_shape_row *row = lim_fe_shape_row_of(shape);
  lim_fe_element *e = &b->mesh.element[b->mesh.nelement];
  *e = (lim_fe_element){b->mesh.nelement + 1, shape, b->mesh.nelement * row->nodes, 0, NAN};
  b->mesh.nelement++;
  for (int n = 0; n < row->nodes; n++) {
    const int *ends = ENDS[shape][n < row->corners ? 0 : n - row->corners];
    const int a = corner[n < row->corners ? n : ends[0]], c = corner[n < row->corners ? n : ends[1]];
    int at[3];
    for (int i = 0; i < 3; i++) at[i] = 2 * cell[i] + (a >> i & 1) + (c >> i & 1);
    b->mesh.element_node[e->first + n] = block_node(b, at);
  }
}

static void block_nodes(fe_block *b, int depth) {
  b->mesh.nnode = b->grid * b->grid * depth;
  b->mesh.X = calloc(3 * (size_t)b->mesh.nnode, sizeof(double));
  b->u = calloc(6 * (size_t)b->mesh.nnode, sizeof(double));
  for (int k = 0; k < b->mesh.nnode; k++) {
    const int at[3] = {k % b->grid, k / b->grid % b->grid, k / b->grid / b->grid};
    for (int i = 0; i < 3; i++) b->mesh.X[3 * k + i] = (double)at[i] / (b->grid - 1);
  }
}

// The material's pointer is into b, which stays where it is.
static void block_new(fe_block *b, lim_fe_shape shape, int n) {
  const lim_fe_shape_row *row = lim_fe_shape_row_of(shape);
  const int deep = row->dimension == 3 ? n : 1;
  *b = (fe_block){.grid = 2 * n + 1, .material = {{"steel", 2e11, 0.3}, {"rubber", 1e6, 0.45}}};
  block_nodes(b, row->dimension == 3 ? b->grid : 1);
  const size_t most = (size_t)n * n * deep * CELL[shape].pieces;
  b->mesh.element = calloc(most, sizeof *b->mesh.element);
  b->mesh.element_node = calloc(most * row->nodes, sizeof(int));
  b->mesh.nmaterial = 2;
  b->mesh.material = b->material;
  for (int c = 0; c < n * n * deep; c++)
    for (int p = 0; p < CELL[shape].pieces; p++)
      add_piece(b, shape, (int[]){c % n, c / n % n, c / n / n}, CELL[shape].corner[p]);
}

static void block_free(fe_block *b) {
  free(b->mesh.X);
  free(b->mesh.element);
  free(b->mesh.element_node);
  free(b->u);
}

// --- places and displacements ----------------------------------------------------------------------------

typedef void mapping(double out[3], const double x[3]);

static void block_map(fe_block *b, mapping *map) {
  for (int k = 0; k < b->mesh.nnode; k++) {
    double x[3];
    memcpy(x, b->mesh.X + 3 * k, sizeof x);
    map(b->mesh.X + 3 * k, x);
  }
}

static void block_thickness(fe_block *b, double t) {
  for (int e = 0; e < b->mesh.nelement; e++) b->mesh.element[e].thickness = t;
}

#endif

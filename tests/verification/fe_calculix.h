// fe_calculix.h - what CalculiX 2.20 finds for the parts of models/fe. Written by models/fe/reference, which
// has the decks; frequencies have the seven digits that CalculiX prints.
#ifndef FE_CALCULIX_H
#define FE_CALCULIX_H

// models/fe/tube.inp: box tube 60 x 60 x 4 mm, 1 m along x, m and kg; E 71 GPa, nu 0.33, 2710 kg/m^3.

// ROOT held, TIP free [Hz]
static const double TUBE_CLAMPED[8] = {65.39847, 65.39847, 391.8292, 391.8292,
                                       697.9393, 1032.301, 1032.301, 1281.203};
// ROOT held, TIP rigid [Hz]
static const double TUBE_CLAMPED_RIGID[8] = {65.46867, 65.46867, 392.2817, 392.2817,
                                             698.0344, 1034.174, 1034.174, 1281.941};
// free, after six rigid motions [Hz]
static const double TUBE_FREE[8] = {405.7335, 405.7335, 1059.967, 1059.967,
                                    1394.552, 1947.112, 1947.112, 2054.256};
// free, both faces rigid, after six rigid motions [Hz]
static const double TUBE_FREE_RIGID[8] = {405.8498, 405.8498, 1061.957, 1061.957,
                                          1394.571, 1959.404, 1959.404, 2079.167};
// 1000 N along x on TIP, ROOT held, TIP free [Hz]
static const double TUBE_PULL[6] = {65.76418, 65.76418, 392.2407, 392.2407, 697.9542, 1032.663};
// spin of 50 rad/s about y, ROOT held, TIP free; seen from the turning root, with spin softening, without
// gyroscopic terms [Hz]
static const double TUBE_SPIN_Y[6] = {65.49088, 65.97014, 392.2635, 392.3408, 697.9745, 1032.809};
// spin of 50 rad/s about z, ROOT held, TIP free; seen from the turning root, with spin softening, without
// gyroscopic terms [Hz]
static const double TUBE_SPIN_Z[6] = {65.49088, 65.97014, 392.2635, 392.3408, 697.9745, 1032.809};
// ROOT held, TIP rigid with 2 kg in its middle, without rotary inertia [Hz]
static const double TUBE_PAYLOAD_RIGID[8] = {31.37334, 31.37334, 295.2286, 295.2286,
                                             698.0344, 751.8421, 866.8679, 866.8679};
// ROOT held, 2 kg on the mean displacement of the nodes of TIP [Hz]
static const double TUBE_PAYLOAD_MEAN[8] = {31.34689, 31.34689, 294.7028, 294.7028,
                                            697.9393, 747.9905, 864.8838, 864.8838};
// ROOT held, 100 N along -z in equal parts on the nodes of TIP: mean displacement of these [m]
static const double TUBE_SAG[3] = {0, 0, -0.0009997899};
// largest von Mises stress [Pa] at a point of integration, and its element; at a node, and the node
static const double TUBE_MISES_POINT = 5850659, TUBE_MISES_NODE = 6.15202e+06;
enum { TUBE_MISES_POINT_ELEMENT = 8, TUBE_MISES_NODE_ID = 91 };
// strains in the middle of elements (mean of their eight points): xx yy zz xy xz yz, shear as gamma
static const struct {
  int element;
  double strain[6];
} TUBE_STRAIN[5] = {
    {5, {7.566606e-05, -2.387763e-05, -2.528373e-05, 0, -2.958154e-07, 0}},
    {21, {4.87419e-05, -1.58614e-05, -1.617145e-05, 0, -6.76553e-08, 0}},
    {20, {-4.87419e-05, 1.58614e-05, 1.617145e-05, 0, -6.76553e-08, 0}},
    {23, {0, 0, 0, 0, -8.465599e-06, -6.371575e-08}},
    {45, {6.968366e-06, -2.372695e-06, -2.25187e-06, 0, -1.023163e-07, 0}},
};
// the same at nodes, carried there from the points of integration and averaged over elements; six digits
static const struct {
  int node;
  double strain[6];
} TUBE_NODE_STRAIN[4] = {
    {64, {7.55726e-05, -2.6379e-05, -2.50692e-05, 0, 3.55492e-07, 0}},
    {134, {5.99352e-05, -2.03173e-05, -1.92719e-05, 0, 1.89808e-07, 0}},
    {190, {4.50842e-05, -1.51312e-05, -1.48079e-05, 0, 2.99126e-07, 0}},
    {200, {3.89567e-05, -1.26923e-05, -1.31478e-05, 2.64376e-07, -6.66596e-06, -1.27281e-08}},
};

// models/fe/bracket.inp: cast link, mm and t; E 71 GPa, nu 0.33, 2700 kg/m^3. Below in SI.

// ROOT held, TIP free [Hz]
static const double BRACKET_CLAMPED[8] = {492.3019, 531.7636, 1129.828, 1356.307,
                                          1729.309, 2584.2,   2613.168, 3502.179};
// ROOT held, TIP rigid [Hz]
static const double BRACKET_CLAMPED_RIGID[8] = {492.4437, 593.8414, 1231.989, 2599.516,
                                                2722.658, 3511.727, 3911.126, 4816.11};
// free, after six rigid motions [Hz]
static const double BRACKET_FREE[8] = {993.6301, 1355.757, 1551.377, 1913.109,
                                       2747.154, 3469.153, 3834.873, 4362.028};
// free, both faces rigid, after six rigid motions [Hz]
static const double BRACKET_FREE_RIGID[8] = {1233.425, 1941.803, 2577.633, 3498.405,
                                             4204.041, 4597.916, 4885.531, 5979.157};
// ROOT held, 100 N along -z in equal parts on the nodes of TIP: mean displacement of these [m]
static const double BRACKET_SAG[3] = {2.410769e-06, 0, -6.529696e-05};
// largest von Mises stress [Pa] at a point of integration, and its element; at a node, and the node
static const double BRACKET_MISES_POINT = 3100356, BRACKET_MISES_NODE = 4.06412e+06;
enum { BRACKET_MISES_POINT_ELEMENT = 19, BRACKET_MISES_NODE_ID = 168 };
// strains in the middle of elements (mean of their eight points): xx yy zz xy xz yz, shear as gamma
static const struct {
  int element;
  double strain[6];
} BRACKET_STRAIN[3] = {
    {22, {-1.358302e-05, 4.344202e-06, 4.641865e-06, 0, -2.298559e-07, 0}},
    {24, {1.596486e-05, -5.231278e-06, -5.174524e-06, 3.18204e-08, -6.659085e-06, 3.396791e-07}},
    {16, {2.364234e-05, -7.320874e-06, -8.776155e-06, -2.192603e-07, -2.387071e-06, 1.790252e-06}},
};
// the same at nodes, carried there from the points of integration and averaged over elements; six digits
static const struct {
  int node;
  double strain[6];
} BRACKET_NODE_STRAIN[3] = {
    {135, {-2.21281e-05, 7.66899e-06, 7.408e-06, -1.19154e-06, -4.1841e-07, -9.81426e-08}},
    {154, {-1.28046e-05, 5.56045e-06, 2.74032e-06, -8.44356e-06, -9.67834e-06, 1.9313e-06}},
    {6, {-4.97272e-06, -1.09206e-06, 3.23043e-06, -1.82413e-06, 1.6459e-05, 2.467e-06}},
};

// models/fe/gantry.inp: box column of plates 150 x 200 x 1.6 mm, 2 m along x, mm and t; 71 GPa, 0.33, 2700
// kg/m^3. Below in SI.

// LOWER held, UPPER free [Hz]
static const double GANTRY_CLAMPED[8] = {44.3144,  54.95261, 137.604, 142.7249,
                                         164.9549, 218.1307, 243.644, 251.3519};
// LOWER held, UPPER rigid [Hz]
static const double GANTRY_CLAMPED_RIGID[8] = {44.4492,  55.16899, 168.0031, 223.3265,
                                               254.8662, 256.9254, 297.9738, 312.0041};
// free, after six rigid motions [Hz]
static const double GANTRY_FREE[8] = {133.8762, 139.4813, 141.5679, 142.4576,
                                      161.0057, 227.5514, 232.4596, 245.247};
// free, both faces rigid, after six rigid motions [Hz]
static const double GANTRY_FREE_RIGID[8] = {168.0032, 240.4467, 256.9255, 265.975,
                                            314.2944, 322.5604, 323.1737, 333.0351};

#endif

// rotation_vector.h - the rotation vector of a rotation matrix: see src/math.
#ifndef LIM_RESULT_ROTATION_VECTOR_H
#define LIM_RESULT_ROTATION_VECTOR_H

#include "math/rotation_vector.h"

#endif

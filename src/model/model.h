// model.h - what the user wrote, checked, in SI. Plain data, constant once built; no physics.
//
// Every record begins with a lim_head that says where it stands in the file, so that any later check can point
// there. Numbers that were not given and have no default are NaN. Names of other entries are lim_ref; their
// index is filled in by lim_model_resolve. The keys that fill these records are listed in the tables of
// schema.c.
#ifndef LIM_MODEL_MODEL_H
#define LIM_MODEL_MODEL_H

#include "model/tree.h"

typedef struct {
  const lim_node *node;  // NULL: not given
  const char *name;      // of entries that have one
  const lim_node *label; // where that name is written; NULL: nowhere
  const char *where;     // "link 'upper', gauge 'root'": goes before messages
  bool flawed;           // something in it was refused: checks that would only repeat it are left out
} lim_head;

#define LIM_LIST(type)                                                                                         \
  struct {                                                                                                     \
    type *item;                                                                                                \
    int count;                                                                                                 \
  }

// A name that refers to another entry.
typedef struct {
  const char *text; // NULL: not given
  const lim_node *node;
  int index; // -1: the world ("base"), or not resolved
} lim_ref;

// A place along a link.
typedef enum { LIM_AT_BASE, LIM_AT_TIP, LIM_AT_FRACTION, LIM_AT_DISTANCE, LIM_AT_FRAME } lim_place_kind;
typedef struct {
  const lim_node *node;
  lim_place_kind kind;
  double value;  // fraction of the length 0..1 (a distance is turned into it when the model is resolved)
  lim_ref frame; // LIM_AT_FRAME: index into model.frames
} lim_place;

// A place in the arm: a link and a place on it, or a named frame, or the world.
typedef struct {
  lim_ref ref; // as written: "base", "tip", "link.tip", "link.name" or a frame's name
  int link;    // -1: the world
  lim_place_kind kind;
  int frame; // LIM_AT_FRAME: index into model.frames
} lim_spot;

// Value in time: a sequence of profiles, or "rigid" (what the rigid arm would need).
typedef enum {
  LIM_CONSTANT,
  LIM_CYCLOIDAL,
  LIM_QUINTIC,
  LIM_TRAPEZOIDAL,
  LIM_TRAPEZOIDAL_ACCELERATION,
  LIM_S_CURVE,
  LIM_BANG_BANG,
  LIM_HARMONIC,
  LIM_SPEED,
  LIM_STEPPER,
  LIM_TABLE,
  LIM_VIA
} lim_profile_kind;

typedef struct {
  lim_head head;
  double from[3], to[3]; // world
} lim_line;

// Input shaping of a motion: against a mode of the arm, or a frequency.
typedef enum { LIM_ZV, LIM_ZVD, LIM_EI, LIM_UNSHAPED } lim_shaping_kind;
typedef struct {
  lim_head head;
  int type;         // lim_shaping_kind
  int mode;         // of the arm with locked joints where the motion ends, from 1; 0: frequency is given
  double frequency; // NaN: that of the mode
  double damping;   // NaN: that of the mode, else 0
  double tolerance; // of EI
} lim_shaping;

typedef struct lim_course lim_course; // motion/course.h
typedef struct lim_profile lim_profile;
typedef struct {
  LIM_LIST(lim_profile) list;
  bool rigid;
  lim_ref block;           // text NULL: none; else its output is the value
  const lim_course *ready; // in place of profiles: a motion worked out before; NULL: none
} lim_signal;

struct lim_profile {
  lim_head head;
  int kind; // lim_profile_kind
  double from, to, start, duration, ramp, jerk, value, amplitude, frequency, phase;
  double steps_per_turn, reduction, rise;
  lim_signal of;           // stepper: the motion that is rounded to steps
  const char *file;        // table
  LIM_LIST(double) points; // via: t, value pairs, one after the other
  lim_line line;           // motion of a frame
  LIM_LIST(lim_shaping) shapes;
};

typedef struct {
  lim_head head;
  double E, nu, G, rho;
} lim_material;

typedef enum { LIM_RECTANGLE, LIM_CIRCLE, LIM_TUBE, LIM_BOX, LIM_I_BEAM, LIM_GENERAL } lim_shape;
typedef struct {
  lim_head head;
  int shape;                                              // lim_shape
  double y, z, diameter, outer, inner, wall, web, flange; // as the shape needs
  double A, Iy, Iz, J, kappa[2]; // given beside a shape they win; NaN: they follow from it
} lim_section;

typedef struct {
  lim_head head;
  double xyz[3], rpy[3];
} lim_pose;

typedef struct {
  lim_head head;
  double a, alpha, d, theta;
} lim_dh;

typedef struct {
  lim_head head;
  double position[2], velocity, effort;
} lim_limits;

typedef enum { LIM_FREE_LENGTH_NONE, LIM_FREE_LENGTH_BEAM } lim_free_length;
typedef struct {
  lim_head head;
  int free_length; // lim_free_length
  int behind;      // 0 rigid, 1 flexible
} lim_slide;

typedef enum { LIM_REVOLUTE, LIM_PRISMATIC, LIM_FIXED, LIM_FREE } lim_joint_type;
typedef struct {
  lim_head head;  // name: the link's unless given
  int type;       // lim_joint_type
  double axis[3]; // in the joint frame, after origin; unit length once resolved
  lim_pose origin;
  lim_dh dh;
  lim_limits limits;
  lim_slide slide;
} lim_joint;

// Whether a link's beam slides through its joint.
static inline bool lim_joint_slides(const lim_joint *j) {
  return j->slide.head.node && j->slide.free_length == LIM_FREE_LENGTH_BEAM;
}

typedef enum {
  LIM_TIMOSHENKO,
  LIM_TIMOSHENKO_EXACT,
  LIM_TIMOSHENKO_CUBIC,
  LIM_EULER_BERNOULLI
} lim_element_type;

// A stretch of a beam from one section to another (the same: uniform).
typedef struct {
  lim_head head;
  double length; // all pieces together have the beam's length
  lim_ref from, to;
} lim_piece;

typedef struct {
  lim_head head;
  double length;
  LIM_LIST(lim_piece) pieces; // at least one
  lim_ref material;
  int elements, segments;
  int element; // lim_element_type
} lim_beam;

typedef struct {
  lim_head head;
  double mass, com[3], inertia[6]; // about com, link axes: ixx iyy izz ixy ixz iyz
  double tip[3];
} lim_rigid;

typedef enum { LIM_BASIS_FULL, LIM_BASIS_MODES, LIM_BASIS_CRAIG_BAMPTON, LIM_BASIS_RIGID } lim_basis_type;
typedef struct {
  lim_head head;
  int type; // lim_basis_type
  int count;
} lim_basis;

typedef struct {
  lim_head head;
  double ratio, mass, stiffness, strain_rate; // NaN: not given
} lim_damping;

typedef struct {
  lim_head head;
  lim_place at;
  double xyz[3]; // rigid offset, link axes
  double mass, inertia[6];
} lim_mass;

typedef enum { LIM_FACE_PY, LIM_FACE_NY, LIM_FACE_PZ, LIM_FACE_NZ } lim_face;
typedef struct {
  lim_head head;
  lim_place at;
  int face; // lim_face
  double rate;
  int bits;
} lim_gauge;

typedef struct {
  lim_head head;
  lim_ref parent; // -1: base
  lim_place at;
  lim_joint joint;
  lim_beam beam;  // head.node NULL: none
  lim_rigid body; // head.node NULL: none
  lim_basis basis;
  lim_damping damping;
  LIM_LIST(lim_mass) masses;
  LIM_LIST(lim_gauge) gauges;
} lim_link;

typedef enum {
  LIM_LOOP_REVOLUTE,
  LIM_LOOP_SPHERICAL,
  LIM_LOOP_FIXED,
  LIM_LOOP_PRISMATIC,
  LIM_LOOP_POINT_ON_LINE
} lim_loop_type;
typedef struct {
  lim_head head;
  int type; // lim_loop_type
  lim_spot between[2];
  double axis[3], axis2[3]; // axis2 NaN: equal to axis
} lim_loop;

typedef struct {
  lim_head head;
  lim_ref on; // link, -1: world
  lim_place at;
  double xyz[3], rpy[3];
} lim_frame;

// A joint at t = 0. A plain number is its position.
typedef struct {
  lim_head head;                                                // name: the joint
  int joint;                                                    // link index
  double position[3], rpy[3], velocity[3], angular_velocity[3]; // first entry for a joint with one freedom
} lim_state;

// A law given by a table.
typedef struct {
  lim_head head;
  const char *table; // CSV file, relative to the model; NULL: not given
} lim_law;

typedef enum { LIM_FRICTION_COULOMB, LIM_FRICTION_LUGRE } lim_friction_kind;
typedef struct {
  lim_head head;
  int law;                                   // lim_friction_kind
  double viscous, coulomb, stiction;         // of the rotor where it acts on the motor; stiction NaN: coulomb
  double stribeck_speed;                     // NaN: the level falls to coulomb at once
  double bristle_stiffness, bristle_damping; // LuGre
  int on;                                    // 0 output, 1 motor
} lim_friction;

typedef struct {
  lim_head head;
  double mass, rotor_inertia, stator_inertia, ratio, radius;
  int rotor; // 0 complete, 1 simple
  lim_spot on;
  double offset[3], axis[3];
  double torque_limit, no_load_speed;                                      // on its shaft; NaN: none
  double resistance, inductance, torque_constant, back_emf, voltage_limit; // NaN: not given
} lim_motor;

typedef struct {
  lim_head head;
  double stiffness, damping, backlash, efficiency; // stiffness NaN and no torque: rigid
  lim_law torque;                                  // over deflection, instead of stiffness
  lim_friction friction;
} lim_gear;

// Shares of what the reference says that a controller adds.
typedef struct {
  lim_head head;
  double velocity, acceleration, torque;
} lim_feedforward;

typedef enum {
  LIM_CONTROL_PD,
  LIM_CONTROL_PID,
  LIM_CONTROL_PD_GRAVITY,
  LIM_CONTROL_COMPUTED_TORQUE,
  LIM_CONTROL_BLOCK,
  LIM_CONTROL_LUA
} lim_control_type;
typedef enum { LIM_GAINS_INITIAL, LIM_GAINS_MAXIMUM, LIM_GAINS_SCHEDULED } lim_gains;
typedef struct {
  lim_head head;
  int type; // lim_control_type
  double kp, kv, ki, integral_time, bandwidth, damping;
  int gains;   // lim_gains: which inertia goes with the bandwidth
  int measure; // 0 output, 1 motor
  lim_feedforward feedforward;
  double limit, anti_windup, rate, delay; // NaN: none
  lim_ref position;                       // block that stands for the measured position
  lim_ref block;                          // whose output is the torque
  const char *file;                       // Lua
} lim_control;

// What a block takes: another block, or something measured of the arm.
typedef enum {
  LIM_SEE_BLOCK,
  LIM_SEE_POSITION,
  LIM_SEE_VELOCITY,
  LIM_SEE_REFERENCE,
  LIM_SEE_REFERENCE_VELOCITY,
  LIM_SEE_REFERENCE_ACCELERATION,
  LIM_SEE_MOTOR_POSITION,
  LIM_SEE_MOTOR_VELOCITY,
  LIM_SEE_FRAME_POSITION,
  LIM_SEE_FRAME_VELOCITY,
  LIM_SEE_STRAIN
} lim_source_kind;
typedef struct {
  lim_ref ref;   // as written; index: of the block
  int kind;      // lim_source_kind
  int link;      // of the joint, or with the gauge
  int gauge;     // of the link
  int component; // of a frame: 0 x, 1 y, 2 z
  lim_spot spot; // the frame
} lim_source;

typedef struct {
  lim_head head;
  int type; // index into lim_block_kinds of src/control
  LIM_LIST(lim_source) inputs;
  LIM_LIST(double) weights, num, den, x, y;
  double gain, initial, time, lead, lag, frequency, damping, depth, limits[2], limit;
  double rate, delay, deviation, resolution; // NaN: not given
  int seed;
  lim_signal value;
  const char *file;
} lim_block;

typedef enum {
  LIM_DRIVE_PRESCRIBED,
  LIM_DRIVE_EFFORT,
  LIM_DRIVE_SERVO,
  LIM_DRIVE_MOTOR,
  LIM_DRIVE_FREE
} lim_drive_type;
typedef struct {
  lim_head head;                                 // name: the joint
  int joint;                                     // link index
  int type;                                      // lim_drive_type
  double stiffness, damping, frequency, inertia; // servo
  lim_signal effort, torque;
  lim_motor motor;
  lim_gear gear;
  lim_control control;
  lim_friction friction;
} lim_drive;

typedef struct {
  lim_head head;  // name: a joint, or a frame whose line is followed
  int joint;      // link index; -1: a frame
  lim_spot frame; // where joint is -1
  lim_signal profile;
} lim_motion;

typedef struct {
  lim_head head;
  lim_spot between[2];
  double stiffness, damping, preload;
  lim_signal length; // free length; no profiles: the distance in the configuration
  lim_law force;     // over elongation, instead of stiffness
} lim_spring;

typedef struct {
  lim_head head;
  lim_spot between[2];
  double stiffness[6], damping[6];
} lim_bushing;

typedef struct {
  lim_head head;
  lim_spot at;
  lim_ref along; // link, a load per length
  double force[3], moment[3];
  int axes; // 0 world, 1 link
  lim_signal factor;
  double from, to;
} lim_load;

typedef enum { LIM_MODE_NONLINEAR, LIM_MODE_LINEAR, LIM_MODE_QUASI_STATIC, LIM_MODE_RIGID } lim_mode;
typedef enum {
  LIM_NEWMARK,
  LIM_GENERALIZED_ALPHA,
  LIM_RK4,
  LIM_CVODE,
  LIM_IDA,
  LIM_FINITE_DIFFERENCE,
  LIM_MODAL_NEWMARK
} lim_method;
typedef struct {
  lim_head head;
  int mode, method; // lim_mode, lim_method
  double duration, step, tolerance;
  int criterion;  // 0 correction, 1 energy
  int start;      // 0 undeformed, 1 equilibrium
  int stiffening; // 0 off, 1 on
  int intervals, modes;
  int hub; // 0 second-order, 1 printed
} lim_solver;

typedef struct {
  lim_head head;
  double every;
  LIM_LIST(const char *) channels;
  int frequencies;
} lim_outputs;

typedef enum { LIM_SPATIAL, LIM_PLANE_XY, LIM_PLANE_XZ, LIM_PLANE_YZ } lim_plane;

struct lim_model {
  lim_head head;
  lim_arena arena; // owns everything below
  int version;
  const char *title;
  double gravity[3];
  int planar; // lim_plane
  LIM_LIST(lim_material) materials;
  LIM_LIST(lim_section) sections;
  LIM_LIST(lim_link) links; // parents before children
  LIM_LIST(lim_loop) loops;
  LIM_LIST(lim_frame) frames;
  LIM_LIST(lim_state) configuration;
  LIM_LIST(lim_drive) drives;
  LIM_LIST(lim_motion) motion;
  LIM_LIST(lim_block) blocks;
  const char *program;
  const struct lim_plan *plan; // what the program came to, once it has run (system/plan.h); NULL: nothing
  LIM_LIST(lim_spring) springs;
  LIM_LIST(lim_bushing) bushings;
  LIM_LIST(lim_load) loads;
  lim_damping damping;
  lim_solver solver;
  lim_outputs outputs;
};

// Check what the tables cannot see (names, order, sums) and fill in every index. Called by lim_model_parse.
lim_code lim_model_resolve(lim_model *m, lim_error *err);

// The drive and the motion of a joint (a link's index), or NULL.
const lim_drive *lim_model_drive(const lim_model *m, int link);
const lim_motion *lim_model_motion(const lim_model *m, int link);

// Whether motor and joint of a drive move apart.
bool lim_gear_is_elastic(const lim_gear *g);

// Whether the motor of a drive turns exactly as the joint's motion says, which exists.
bool lim_drive_follows(const lim_drive *d);

#endif

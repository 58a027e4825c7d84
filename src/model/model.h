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
typedef enum { LIM_AT_BASE, LIM_AT_TIP, LIM_AT_FRACTION, LIM_AT_DISTANCE, LIM_AT_FRAME } lim_location_kind;
typedef struct {
  const lim_node *node;
  lim_location_kind kind;
  double value;  // fraction of the length 0..1 (a distance is turned into it when the model is resolved)
  lim_ref frame; // LIM_AT_FRAME: index into model.frames
} lim_link_location;

// A place in the arm: a link and a place on it, or a named frame, or the world.
typedef struct {
  lim_ref ref; // as written: "base", "tip", "link.tip", "link.name" or a frame's name
  int link;    // -1: the world
  lim_location_kind kind;
  int frame; // LIM_AT_FRAME: index into model.frames
} lim_location;

// The line of a frame.
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

typedef struct lim_trajectory lim_trajectory; // motion/trajectory.h
typedef struct lim_profile lim_profile;
// Value in time: a sequence of profiles, or "rigid" (what the rigid arm would need).
typedef struct {
  LIM_LIST(lim_profile) list;
  bool rigid;
  lim_ref block;               // text NULL: none; else its output is the value
  const lim_trajectory *ready; // in place of profiles: a motion worked out before; NULL: none
} lim_signal;

struct lim_profile {
  lim_head head;
  int kind; // row of the table of profiles (profile.h)
  double from, to, start, duration, ramp, jerk, value, amplitude, frequency, phase;
  double steps_per_turn, reduction, rise;
  lim_signal of;           // stepper: the motion that is rounded to steps
  const char *file;        // table
  LIM_LIST(double) points; // via: t, value pairs, one after the other
  lim_line line;           // motion of a frame
  LIM_LIST(lim_shaping) shapes;
  void *own; // keys that its kind has alone, in the record that its file knows; NULL: none
};

typedef struct {
  lim_head head;
  double E, nu, G, rho;
  double yield; // NaN: not given
} lim_material;

enum { LIM_SECTION_SIZES = 6 };
typedef struct {
  lim_head head;
  int shape;                      // row of the table of shapes (beam/sections.def)
  double y, z;                    // outer size
  double size[LIM_SECTION_SIZES]; // those that the shape has alone, as its file says
  double A, Iy, Iz, J, kappa[2];  // given beside a shape they win; NaN: they follow from it
} lim_section;

typedef struct {
  lim_head head;
  double xyz[3], rpy[3];
} lim_pose;

typedef struct {
  lim_head head;
  double a, alpha, d, theta;
} lim_dh;

// What a joint runs into at its position limits: max(0, stiffness d + damping d') of the way d beyond them.
typedef struct {
  lim_head head; // node NULL: none
  double stiffness, damping;
} lim_stop;

typedef struct {
  lim_head head;
  double position[2], velocity, effort;
  lim_stop stop;
} lim_limits;

typedef enum { LIM_FREE_LENGTH_NONE, LIM_FREE_LENGTH_BEAM } lim_free_length;
typedef struct {
  lim_head head;
  int free_length; // lim_free_length
  int behind;      // 0 rigid, 1 flexible
} lim_slide;

typedef struct {
  lim_head head;   // name: the link's unless given; of a freedom that is taken apart "joint.freedom"
  int type;        // row of joints.def
  double axis[3];  // in the joint frame, after origin; unit length once resolved
  double axis2[3]; // of a universal joint; NaN: across axis
  const char
      *whole; // once resolved: name and kind of the joint that was written, which of its freedoms this is,
  int kind;   // and how many it has; an ordinary joint is the first of 1, one without freedoms too
  int part, parts;
  LIM_LIST(lim_limits) freedom_limits; // of a joint with several freedoms, by their names
  lim_pose origin;
  lim_dh dh;
  lim_limits limits;
  lim_slide slide;
  int rail; // 1: it runs along the beam of its parent, which may bend. Once resolved it slides along x of the
            // parent from its base; arm/rail.h has what bending adds
} lim_joint;

// Whether a link's beam slides through its joint.
static inline bool lim_joint_slides(const lim_joint *j) {
  return j->slide.head.node && j->slide.free_length == LIM_FREE_LENGTH_BEAM;
}

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
  int element;   // row of the table of elements (beam/elements.def)
  int lumped;    // 0 consistent mass, 1 lumped at the nodes
  int no_rotary; // 0 with, 1 without rotary inertia of sections in bending
} lim_beam;

// Air about a beam.
typedef struct {
  lim_head head;
  double density, drag;
} lim_air;

typedef struct {
  lim_head head;
  double mass, com[3], inertia[6]; // about com, link axes: ixx iyy izz ixy ixz iyz
  double tip[3];
} lim_rigid;

// --- links from finite elements ---

typedef struct {
  lim_head head;
  const char *length, *mass; // "mm", "t"; NULL: SI
} lim_fe_units;

// Where something attaches: a set of nodes that move together, or with their mean.
typedef enum { LIM_COUPLING_RIGID, LIM_COUPLING_MEAN } lim_fe_coupling;
typedef struct {
  lim_head head;           // name: "base", "tip", ...
  LIM_LIST(lim_ref) nodes; // a set, or ids of nodes
  int coupling;            // lim_fe_coupling
  double xyz[3], rpy[3];   // axes of the file; xyz NaN: the mean of the nodes
} lim_fe_frame;

// A stiffness matrix of a loaded mesh: under a force at a frame, or spinning about the base. Axes of the file.
typedef struct {
  lim_head head;
  double force[3], spin[3]; // NaN: not given
  lim_ref at;               // frame of the force
  const char *stiffness, *dofs;
} lim_fe_prestressed;

// Matrices that were reduced elsewhere.
typedef struct {
  lim_head head;
  const char *mass, *stiffness;
} lim_fe_matrices;

// What else can be meant on such a link: place 0 is its base, 1 its tip, then its other frames and sets of
// nodes.
typedef struct {
  const char *name;
  int frame;            // of fe.frames; -1: a set of nodes, or a frame of a reduced file
  const lim_node *node; // where it is written
} lim_fe_place_name;

typedef struct {
  lim_head head; // node NULL: none
  const char *stiffness, *mass, *dofs, *nodes;
  const char *file; // reduced before
  lim_fe_units units;
  LIM_LIST(lim_fe_frame) frames;
  LIM_LIST(lim_fe_prestressed) prestressed;
  lim_fe_matrices reduced;
  lim_ref material;                   // of its stresses, in place of those of the file
  LIM_LIST(lim_fe_place_name) places; // once resolved
  const struct lim_fe_link *link;     // once loaded (fe/link.h)
} lim_fe;

// The number of a place by its name; -1: there is none. And its axes against those of base. check/resolve_fe.c
int lim_fe_find_place(const lim_fe *fe, const char *name);
void lim_fe_axes(double R[9], const lim_fe *fe, int place);

#define LIM_PLACES_ALONG "base, tip, a fraction 0..1 of the length or a distance" // of a beam or body

typedef enum { LIM_BASIS_FULL, LIM_BASIS_MODES, LIM_BASIS_CRAIG_BAMPTON, LIM_BASIS_RIGID } lim_basis_type;
typedef struct {
  lim_head head;
  int type; // lim_basis_type
  int count;
  double up_to; // of a link from finite elements: modes up to this frequency [Hz]; NaN: count
} lim_basis;

typedef struct {
  lim_head head;
  LIM_LIST(double) ratio;              // of the modes, the last of all higher ones; none: not given
  double mass, stiffness, strain_rate; // NaN: not given
  double update;                       // of the whole arm: built anew so often [s]; NaN or 0: once, at t = 0
} lim_damping;

// Ratio of a mode, counted from 0; 0 where none is given. And whether there is a damping matrix at all.
double lim_damping_ratio(const lim_damping *d, int mode);
bool lim_damping_given(const lim_damping *d);

typedef struct {
  lim_head head;
  lim_link_location at;
  double xyz[3]; // rigid offset, link axes
  double mass, inertia[6];
} lim_mass;

typedef enum { LIM_FACE_PY, LIM_FACE_NY, LIM_FACE_PZ, LIM_FACE_NZ } lim_face;
typedef struct {
  lim_head head;
  lim_link_location at;
  int face;                // lim_face
  LIM_LIST(lim_ref) nodes; // of a link from finite elements: where it is, numbers of nodes,
  int element;             // or an element; 0: nodes
  double direction[3];     // and along what it measures, axes of the link
  int side;                // of a shell: 0 top, 1 bottom
  double rate;
  int bits;
} lim_gauge;

typedef struct {
  lim_head head;
  lim_ref parent; // -1: base
  lim_link_location at;
  lim_joint joint;
  lim_beam beam;  // head.node NULL: none
  lim_rigid body; // head.node NULL: none
  lim_fe fe;      // head.node NULL: none
  lim_basis basis;
  lim_damping damping;
  lim_air air; // head.node NULL: none
  LIM_LIST(lim_mass) masses;
  LIM_LIST(lim_gauge) gauges;
  bool is_rail; // once resolved: joints run along its beam
} lim_link;

// Whether a link's beam runs along -x of the link's frame (a DH row with negative a). All that the model gives
// in the axes of such a link is then kept in those of its beam, which are turned by pi about z.
static inline bool lim_link_reversed(const lim_link *a) {
  return a->beam.head.node && a->joint.dh.head.node && a->joint.dh.a < 0;
}

typedef enum {
  LIM_LOOP_REVOLUTE,
  LIM_LOOP_SPHERICAL,
  LIM_LOOP_FIXED,
  LIM_LOOP_PRISMATIC,
  LIM_LOOP_POINT_ON_LINE,
  LIM_LOOP_RAIL
} lim_loop_type;
typedef struct {
  lim_head head;
  int type;                 // lim_loop_type
  lim_location between[2];  // of a rail the second is the base of the link whose beam it is
  double axis[3], axis2[3]; // axis2 NaN: equal to axis
} lim_loop;

// Sum of factors x positions of joints = offset.
typedef struct {
  lim_head head;
  LIM_LIST(lim_ref) joints; // index: the link
  double ratio;             // of two joints: second = ratio x first + offset; NaN: factors are given
  LIM_LIST(double) factors; // one for each joint; of a ratio [-ratio, 1]
  double offset;            // in the unit of the last joint
} lim_coupling;

typedef struct {
  lim_head head;
  lim_ref on; // link, -1: world
  lim_link_location at;
  double xyz[3], rpy[3];
} lim_frame;

// A joint at t = 0. A plain number is its position. Of a free joint: velocity in world axes, angular velocity
// in those of its link.
typedef struct {
  lim_head head;                                                // name: the joint
  int joint;                                                    // link index; of a ball joint: its own link's
  double position[3], rpy[3], velocity[3], angular_velocity[3]; // first entry for a joint with one freedom
  double quaternion[4];                                         // w x y z, of length 1; NaN: rpy holds
} lim_joint_state;

// A link at t = 0, bent as by a force at its tip.
typedef struct {
  lim_head head; // name: the link
  lim_ref link;
  double tip[3], rate[3]; // displacement of its tip and its rate, link axes, to first order
} lim_bent;

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
  lim_location on;
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

typedef enum { LIM_GAINS_INITIAL, LIM_GAINS_MAXIMUM, LIM_GAINS_SCHEDULED } lim_gains;

// The inertia at a motor for which its controller's gains are designed [kg m^2].
typedef struct {
  double value;
  int moments;                // along the commanded motion, of gains that follow it; 0: others
  const double *time, *along; // [s], inertia then   (moments)
} lim_design_inertia;

typedef struct {
  lim_head head;
  int type; // row of lim_control_kinds of src/control
  double kp, kv, ki, integral_time, bandwidth, damping;
  int gains;   // lim_gains: which inertia goes with the bandwidth
  int measure; // 0 output, 1 motor
  lim_feedforward feedforward;
  double limit, anti_windup, rate, delay; // NaN: none
  lim_ref position;                       // block that stands for the measured position
  lim_ref block;                          // whose output is the torque
  const char *file;                       // Lua
  const lim_design_inertia *designed;     // of a model that is prepared for analyses; NULL: not known yet
  void *own;                              // keys that its kind has alone, in the record that its file knows
} lim_control;

// What a block takes: another block, or something measured of the arm.
typedef enum {
  LIM_SENSE_BLOCK,
  LIM_SENSE_POSITION,
  LIM_SENSE_VELOCITY,
  LIM_SENSE_REFERENCE,
  LIM_SENSE_REFERENCE_VELOCITY,
  LIM_SENSE_REFERENCE_ACCELERATION,
  LIM_SENSE_MOTOR_POSITION,
  LIM_SENSE_MOTOR_VELOCITY,
  LIM_SENSE_FRAME_POSITION,
  LIM_SENSE_FRAME_VELOCITY,
  LIM_SENSE_STRAIN
} lim_source_kind;
typedef struct {
  lim_ref ref;       // as written; index: of the block
  int kind;          // lim_source_kind
  int link;          // of the joint, or with the gauge
  int gauge;         // of the link
  int component;     // of a frame: 0 x, 1 y, 2 z
  lim_location spot; // the frame
} lim_source;

typedef struct {
  lim_head head;
  int type; // row of lim_block_kinds of src/control
  LIM_LIST(lim_source) inputs;
  double gain, initial, frequency, damping, limits[2], rate, deviation; // NaN: not given
  int seed;
  lim_signal value; // of a signal
  const char *file; // CSV
  void *own;        // keys that its kind has alone, in the record that its file knows; NULL: none
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
  lim_head head;      // name: a joint, or a frame whose line is followed
  int joint;          // link index; -1: a frame
  lim_location frame; // where joint is -1
  lim_signal profile;
} lim_motion;

typedef struct {
  lim_head head;
  lim_location between[2];
  double stiffness, damping, preload;
  lim_signal length; // free length; no profiles: the distance in the configuration
  lim_law force;     // over elongation, instead of stiffness
} lim_spring;

typedef struct {
  lim_head head;
  lim_location between[2];
  double stiffness[6], damping[6];
} lim_bushing;

// A plane of the world or of a frame; what lies on the side of its normal is free.
typedef struct {
  lim_head head;
  lim_location on; // ref.text NULL: the world
  double point[3], normal[3];
} lim_contact_plane;

// A sphere about a frame against a plane: stiffness d (1 + damping d') of the depth d, and friction.
typedef struct {
  lim_head head;
  lim_location frame;
  double radius;
  lim_contact_plane plane;
  double stiffness, damping, friction;
} lim_contact;

typedef struct {
  lim_head head;
  lim_location at;
  lim_ref nodes; // "link.SET": nodes that share it equally; text NULL: none
  lim_ref along; // link, a load per length
  double force[3], moment[3];
  int axes; // 0 world, 1 link
  lim_signal factor;
  double from, to;
} lim_load;

typedef enum {
  LIM_MODE_NONLINEAR,
  LIM_MODE_LINEAR,
  LIM_MODE_QUASI_STATIC,
  LIM_MODE_RIGID,
  LIM_MODE_CONVENTIONAL
} lim_mode;
typedef struct {
  lim_head head;
  double beta, gamma;
} lim_newmark;
// Joints that an equilibrium lets come to rest by themselves, beside those that are free by their type.
typedef struct {
  LIM_LIST(lim_ref) joint; // index: link
  bool all;                // every joint that is not driven
  bool none;               // not even free ones: a search for joints that are given
} lim_release;
typedef struct {
  lim_head head;
  int mode, method;                 // lim_mode; row of the table of integrators (integrate/integrators.def)
  double duration, step, tolerance; // step: of `step: auto` what is recorded, and what generated code takes
  bool adaptive;                    // step: auto
  int criterion;                    // 0 correction, 1 energy
  int start;                        // 0 undeformed, 1 equilibrium
  int stiffening;                   // 0 off, 1 on
  int geometry;                     // of static: 0 nonlinear, 1 linear
  lim_release release;              // of static, and of start: equilibrium
  int intervals, modes;
  int hub; // 0 second-order, 1 printed
  lim_newmark newmark;
  double rho_inf; // of generalized-alpha
  void *own;      // keys that its method has alone, in the record that its file knows; NULL: none
} lim_solver;

// With `step: auto`, the time between records and the step of generated code, unless they are given [s].
#define LIM_STEP_BESIDE_AUTO 1e-3

// Which dynamics a run has: some methods are about small motions, whatever `mode` says.
lim_mode lim_solver_mode(const lim_solver *s); // analysis/simulation/integrators.c

typedef struct {
  lim_head head;
  double every;
  LIM_LIST(const char *) channels;
  int frequencies;
} lim_outputs;

// A file that the model reads, as it is named.
typedef struct lim_named_file lim_named_file;
struct lim_named_file {
  const lim_node *node;
  const char *where; // the entry that names it
  const lim_named_file *next;
};

typedef enum { LIM_SPATIAL, LIM_PLANE_XY, LIM_PLANE_XZ, LIM_PLANE_YZ } lim_plane;

// Where a model comes from, for those who read it anew, or keep it beside a result.
typedef struct {
  const char *path, *folder; // of its file, and where that is
  const char *text;          // of the file (size)
  size_t size;
  bool loaded;            // from the file; else from memory
  const char *const *set; // overrides (nset)
  int nset;
} lim_model_file;

struct lim_model {
  lim_head head;
  lim_model_file origin;
  lim_error said;  // warnings of its reading; a copy of the model shares them
  lim_arena arena; // owns everything below
  int version;
  const char *title;
  double gravity[3];
  int planar; // lim_plane
  LIM_LIST(lim_material) materials;
  LIM_LIST(lim_section) sections;
  LIM_LIST(lim_link) links; // parents before children
  LIM_LIST(lim_loop) loops;
  LIM_LIST(lim_coupling) couplings;
  LIM_LIST(lim_frame) frames;
  LIM_LIST(lim_joint_state) configuration;
  LIM_LIST(lim_bent) deformation; // written in the configuration
  LIM_LIST(lim_drive) drives;
  LIM_LIST(lim_motion) motion;
  LIM_LIST(lim_block) blocks;
  const char *program;
  lim_location tool; // the frame that matters; never the world
  const struct lim_program_result
      *plan; // what the program came to, once it has run (program/result.h); NULL: nothing
  LIM_LIST(lim_spring) springs;
  LIM_LIST(lim_bushing) bushings;
  LIM_LIST(lim_contact) contacts;
  LIM_LIST(lim_load) loads;
  lim_damping damping;
  lim_solver solver;
  lim_outputs outputs;
  const lim_named_file *files;  // all that are named above
  LIM_LIST(const char *) allow; // real paths outside the model's folder from which they may come
};

// Check what the tables cannot see (names, order, sums) and fill in every index. Called by lim_model_parse.
lim_code lim_model_resolve(lim_model *m, lim_error *err);

// A message at each file that the model names outside its folder (NULL: the working directory) and what it is
// allowed. Called by lim_model_load, and by what reads files of models from memory.
lim_code lim_model_check_files(const lim_model *m, const char *directory, lim_error *err);

// The drive and the motion of a joint (a link's index), or NULL.
const lim_drive *lim_model_drive(const lim_model *m, int link);
const lim_motion *lim_model_motion(const lim_model *m, int link);

// Yield strength of the material of a link; NaN: not given.
double lim_link_yield(const lim_model *m, int link);

// Whether motor and joint of a drive move apart.
bool lim_gear_is_elastic(const lim_gear *g);

// Whether the motor of a drive turns exactly as the joint's motion says, which exists.
bool lim_drive_follows(const lim_drive *d);

// What may be written where a frame is named, and as input of a block; in no order of importance.
typedef void lim_name_fn(void *user, const char *name);
void lim_model_frames(const lim_model *m, lim_name_fn *see, void *user);  // model/check/resolve.c
void lim_model_signals(const lim_model *m, lim_name_fn *see, void *user); // model/check/resolve_blocks.c

#endif

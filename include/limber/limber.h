// limber.h - the public interface of limber: flexible manipulators from one model file.
//
// The library neither prints nor exits. Every call that can fail returns a lim_code and, if asked, fills a
// lim_error with all that went wrong. A model is constant once loaded and may be shared between threads.
#ifndef LIMBER_LIMBER_H
#define LIMBER_LIMBER_H

#ifdef __cplusplus
extern "C" {
#endif

#define LIM_VERSION "0.1.0"

typedef enum {
  LIM_OK = 0,
  LIM_FAILED = 1,    // the analysis failed: no convergence, singular matrix
  LIM_BAD_INPUT = 2, // the model or a request is wrong
  LIM_IO = 3,        // reading or writing failed
  LIM_NO_MEMORY = 4
} lim_code;

// One message. line and column count from 1; 0 where there is none.
typedef struct {
  char *file; // NULL where the message has no place
  int line, column;
  char *text;
} lim_note;

// All messages of one call, in the order of the file. Start with `lim_error err = {0}`, end with
// lim_error_clear.
typedef struct {
  lim_code code; // of the first message
  int count;     // messages found; the first LIM_NOTES_MAX are kept
  int kept;
  lim_note *note;
} lim_error;

enum { LIM_NOTES_MAX = 100 };

void lim_error_clear(lim_error *err);

// A model file, read and checked.
typedef struct lim_model lim_model;

// Read a model file. `set` overrides entries: nset texts of the form "links.upper.beam.length=0.5 m".
// On success the caller owns *out; on failure *out is NULL and err says what and where.
lim_code lim_model_load(lim_model **out, const char *path, const char *const *set, int nset, lim_error *err);

// The same from memory; `name` stands for the file in messages.
lim_code lim_model_parse(lim_model **out, const char *text, long size, const char *name, const char *const *set,
                         int nset, lim_error *err);

void lim_model_free(lim_model *model);

// A simulation that the caller steps. One per thread; several may share a model.
typedef struct lim_sim lim_sim;

// At t = 0, with the mode (nonlinear or rigid), method and tolerance of the model's solver. directory: where
// the model's tables are. The model must outlive it.
lim_code lim_sim_new(lim_sim **out, const lim_model *model, const char *directory, lim_error *err);
void lim_sim_free(lim_sim *sim);

// The joint of that name, for the functions below; -1: there is none. Position [rad or m] and velocity now.
int lim_sim_joint(const lim_sim *sim, const char *name);
double lim_sim_position(const lim_sim *sim, int joint);
double lim_sim_velocity(const lim_sim *sim, int joint);

// An effort [N m or N] on a joint, beside that of its drive, from now on until it is changed.
lim_code lim_sim_effort(lim_sim *sim, int joint, double effort, lim_error *err);

// Advance by h seconds. Never allocates (method cvode: only at its start).
lim_code lim_sim_step(lim_sim *sim, double h, lim_error *err);
double lim_sim_time(const lim_sim *sim);

// Channels of the model's outputs, by name ("tip.position.x"); -1 and NULL: there is none. Their values now.
int lim_sim_channel(const lim_sim *sim, const char *name);
const char *lim_sim_channel_name(const lim_sim *sim, int channel);
double lim_sim_value(lim_sim *sim, int channel);

// Kinematics of a frame: where it is, how joints move it, which joint positions bring it somewhere. Links are
// undeformed. One per thread; several may share a model.
typedef struct lim_kin lim_kin;

// frame: "tip", "LINK.tip", "LINK.base" or one of the model's frames. The model must outlive it.
lim_code lim_kin_new(lim_kin **out, const lim_model *model, const char *frame, lim_error *err);
void lim_kin_free(lim_kin *reach);

// The n joints between the world and the frame, in the order of all arrays below: how many, their names (NULL:
// there is none of that number), and their positions at t = 0 into q (n) [rad or m].
int lim_kin_joints(const lim_kin *reach);
const char *lim_kin_joint_name(const lim_kin *reach, int joint);
void lim_kin_start(const lim_kin *reach, double *q);

// At q (n): position [m] and axes of the frame (R by rows; its columns are the frame's x, y, z in the world),
// and J (6 x n by columns), its velocity and angular velocity at speed 1 of each joint. Any of the three may be
// NULL.
void lim_kin_pose(lim_kin *reach, const double *q, double position[3], double R[9], double *J);

// q (n) := the joint positions nearest to `near` (n) that bring the frame to a position and, unless R is NULL,
// to the axes R, within the joints' limits; q may be near itself. Returns 1, or 0 where it cannot get there:
// then q is as near as it gets. distance [m] and angle [rad] are what is left; they may be NULL. Never
// allocates.
int lim_kin_near(lim_kin *reach, double *q, const double position[3], const double R[9], const double *near,
                 double *distance, double *angle);

// All such joint positions into q (room x n), the nearest first. Returns how many there are, which may be more
// than room; 0: none, and q begins with those that are as near as it gets.
int lim_kin_all(lim_kin *reach, double *q, int room, const double position[3], const double R[9],
                const double *near);

#ifdef __cplusplus
}
#endif
#endif

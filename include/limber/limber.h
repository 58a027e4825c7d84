// limber.h - the public interface of limber: flexible manipulators from one model file.
//
// The library neither prints nor exits. Every call that can fail returns a lim_code and, if asked, fills a
// lim_error with all that went wrong. A model is constant once loaded and may be shared between threads.
//
// Pointers that are NULL where something is needed, numbers that do not exist or are not finite are refused:
// LIM_BAD_INPUT, or what each function below says. err may always be NULL, and so may what is freed.
#ifndef LIMBER_LIMBER_H
#define LIMBER_LIMBER_H

#include <math.h> // HUGE_VAL
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LIM_VERSION "0.1.0" // of this header

const char *lim_version(void); // of the library

// The process computes in one thread from now on, however many processors the algebra library finds: what its
// threads cost is more than they bring for arms.
void lim_use_one_thread(void);

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

// A doubt about numbers that are given all the same.
typedef struct {
  char *text;  // one sentence
  double time; // [s] when it arose; NaN where it belongs to no moment
  char *place; // the joint, link, frame or file it is about; NULL where there is none
} lim_warning;

// All messages of one call, in the order of the file, and its warnings, which come with LIM_OK too. Start with
// `lim_error err = {0}`, end with lim_error_clear.
typedef struct {
  lim_code code; // of the first message
  int count;     // messages found; the first LIM_NOTES_MAX are kept
  int kept;
  lim_note *note;
  int warnings; // of which the first LIM_NOTES_MAX different ones are kept
  lim_warning *warning;
} lim_error;

enum { LIM_NOTES_MAX = 100 };

void lim_error_clear(lim_error *err);

// "done", "the analysis failed", ...
const char *lim_code_text(lim_code code);

// The same for those who do not want to know the structs: an error on the heap, and what is in it. i counts
// from 0; texts are the error's, NULL where there is none.
lim_error *lim_error_new(void); // NULL: out of memory
void lim_error_free(lim_error *err);
int lim_error_notes(const lim_error *err); // kept
const char *lim_error_text(const lim_error *err, int i);
const char *lim_error_file(const lim_error *err, int i);
int lim_error_line(const lim_error *err, int i);
int lim_error_column(const lim_error *err, int i);
int lim_error_warnings(const lim_error *err);
const char *lim_error_warning(const lim_error *err, int i);
const char *lim_error_warning_place(const lim_error *err, int i);
double lim_error_warning_time(const lim_error *err, int i); // NaN where there is none

// Add a message of one's own; returns code. file may be NULL and line, column 0.
lim_code lim_error_say(lim_error *err, lim_code code, const char *file, int line, int column, const char *text);

// --- answers ---

// What an analysis found: a tree of objects, lists, numbers and texts, the same that the program prints as
// JSON, with `warnings` (a list of {text, time?, place?}) always. Constant; the caller frees what a function
// below gave it, and parts of it are never freed.
typedef struct lim_answer lim_answer;

typedef enum {
  LIM_ANSWER_NONE, // there is no such entry
  LIM_ANSWER_OBJECT,
  LIM_ANSWER_LIST,
  LIM_ANSWER_NUMBERS, // a list of numbers only, which are one after the other in memory
  LIM_ANSWER_NUMBER,
  LIM_ANSWER_BOOL,
  LIM_ANSWER_TEXT
} lim_answer_kind;

void lim_answer_free(lim_answer *answer);

// An entry by its path: "frames.tip.position[0]", "shapes[2].upper", "peak[\"tip.error.y\"]". Keys that hold
// dots need no quotes where the path is unique all the same. NULL or "": the answer itself. An entry that is
// not there, or is of another kind, is NULL, 0 or NaN; a number that is not finite is NaN (null in JSON).
const lim_answer *lim_answer_at(const lim_answer *answer, const char *path);
lim_answer_kind lim_answer_kind_of(const lim_answer *answer, const char *path);
double lim_answer_number(const lim_answer *answer, const char *path); // 0 or 1 of a bool
const char *lim_answer_text(const lim_answer *answer, const char *path);
const double *lim_answer_array(const lim_answer *answer, const char *path, int *count);

// The unit of a number or of an array of them, which JSON does not show: "N m"; NULL: none, or none is known.
const char *lim_answer_unit(const lim_answer *answer, const char *path);

// Entries of an object, list or array: how many; the i-th, and its key in an object.
int lim_answer_count(const lim_answer *answer, const char *path);
const lim_answer *lim_answer_item(const lim_answer *answer, const char *path, int i);
const char *lim_answer_key(const lim_answer *answer, const char *path, int i);

// All of it as JSON, which is the answer's (NULL: out of memory); or into a file, which appears whole or not at
// all. Of whole answers, not of parts.
const char *lim_answer_json(lim_answer *answer);
lim_code lim_answer_write(lim_answer *answer, const char *path, lim_error *err);

// Bytes into a file, which appears whole or not at all; a pipe or a device is written to, a link stays.
lim_code lim_file_write(const char *path, const void *bytes, size_t size, lim_error *err);

// Long work tells how far it is, and can be ended. what: a few words; part: 0 to 1. Part of options, always at
// their end.
typedef struct {
  void (*progress)(void *user, const char *what, double part); // may be NULL
  void *user;
  const volatile int *stop; // the work ends when it becomes nonzero; may be NULL
} lim_hooks;

// --- models ---

// A model file, read and checked.
typedef struct lim_model lim_model;

// Read a model file. `set` overrides entries: nset texts of the form "links.upper.beam.length=0.5 m".
// On success the caller owns *out; on failure *out is NULL and err says what and where.
lim_code lim_model_load(lim_model **out, const char *path, const char *const *set, int nset, lim_error *err);

// The same from memory; `name` stands for the file in messages.
lim_code lim_model_parse(lim_model **out, const char *text, long size, const char *name, const char *const *set,
                         int nset, lim_error *err);

// How a model is read. Start with {0}.
typedef struct {
  size_t size;            // 0, or that of this struct: what later versions add counts only then
  const char *const *set; // overrides, as above
  int nset;
  const char *const *allow; // folders, or files, outside the model's folder from which it may read
  int nallow;
  lim_hooks hooks; // links from finite elements may take a while
} lim_model_setup;

// The same. Tables, programs and all other files that a model names must lie in its folder, wherever links
// lead, or where setup->allow says: a model of a stranger could name any file.
lim_code lim_model_load_with(lim_model **out, const char *path, const lim_model_setup *setup, lim_error *err);

// From memory: its folder is the directory that is given to what reads its files, as lim_sim_new; links from
// finite elements are read at once, from the working directory.
lim_code lim_model_parse_with(lim_model **out, const char *text, long size, const char *name,
                              const lim_model_setup *setup, lim_error *err);

// The same model with further overrides, read anew.
lim_code lim_model_override(lim_model **out, const lim_model *model, const char *const *set, int nset,
                            lim_error *err);

void lim_model_free(lim_model *model);

// What is in it. name: its title; folder: of its file, where its tables are. Links and their joints count from
// 0, parents before children; kind: "revolute", "prismatic", ...; parent: -1 is the base. NULL, -1 and NaN:
// there is none. duration and step [s] as the solver has them; NaN: not given.
const char *lim_model_name(const lim_model *model);
const char *lim_model_folder(const lim_model *model);
int lim_model_links(const lim_model *model);
const char *lim_model_link_name(const lim_model *model, int link);
int lim_model_link_parent(const lim_model *model, int link);
const char *lim_model_joint_name(const lim_model *model, int link);
const char *lim_model_joint_kind(const lim_model *model, int link);
double lim_model_duration(const lim_model *model);
double lim_model_step(const lim_model *model);

// Whether this is a file that the model reads, its own or one that it names; 0: not, or there is none. Ask
// before a file is written.
int lim_model_reads(const lim_model *model, const char *path);

// All that and more by key: name, gravity, duration, step, mode, method, start,
// links.NAME.{parent, joint, type, basis, length}, frames, drives, materials, sections, outputs.
lim_code lim_model_describe(lim_answer **out, const lim_model *model, lim_error *err);

// What may stand in a model file: a JSON Schema; or the reference page, which is one text: lim_answer_text(a,
// NULL).
lim_code lim_schema(lim_answer **out, lim_error *err);
lim_code lim_schema_page(lim_answer **out, lim_error *err);
lim_code lim_units_page(lim_answer **out, lim_error *err); // all units that numbers may bear

// The word of a list that was probably meant; NULL: none is near.
const char *lim_word_nearest(const char *word, const char *const *list, int count);

// "200 mm", "0.5", "20 deg" into SI. unit: "m", "rad", "kg/m^3", ...; "" where it has none ("2 %").
lim_code lim_quantity(double *out, const char *text, const char *unit, lim_error *err);

// --- analyses ---

// Options begin with lim_..._options_default(), and grow in later versions; NULL in their place: the defaults.
// Texts that are NULL were not given.

// A model ready for analyses: its program has run, its motions are shaped. Made once; constant, and may be
// shared between threads. The model must outlive it.
typedef struct lim_study lim_study;

lim_code lim_study_new(lim_study **out, const lim_model *model, lim_error *err);
void lim_study_free(lim_study *study);

// Each fills an answer, which the caller frees; NULL where there is none. Keys: docs/guide/commands.md.

// Is the model valid, and what is in it?
lim_code lim_study_check(lim_answer **out, const lim_study *study, lim_error *err);

// All names that there are: `joints`, `frames`, `signals` that blocks can take, `channels`.
lim_code lim_study_names(lim_answer **out, const lim_study *study, lim_error *err);

// Where does it rest?
typedef struct {
  size_t size;
  const char *folder; // for report.html, result.h5 and summary.json; made if missing
} lim_static_options;

static inline lim_static_options lim_static_options_default(void) {
  lim_static_options o;
  o.size = sizeof o;
  o.folder = NULL;
  return o;
}

lim_code lim_study_static(lim_answer **out, const lim_study *study, const lim_static_options *options,
                          lim_error *err);

// Natural frequencies, damping ratios, mode shapes.
typedef struct {
  size_t size;
  const char *folder; // as above
  const char *joints; // "free", "locked", "held"; NULL: as their drives hold them
  int count;          // of modes, at most
} lim_modes_options;

static inline lim_modes_options lim_modes_options_default(void) {
  lim_modes_options o;
  o.size = sizeof o;
  o.folder = NULL;
  o.joints = NULL;
  o.count = 10;
  return o;
}

lim_code lim_study_modes(lim_answer **out, const lim_study *study, const lim_modes_options *options,
                         lim_error *err);

// The motion in time. A run that fails, or is ended, still has an answer with what was computed until then.
typedef struct {
  size_t size;
  const char *folder; // for channels.csv, report.html, result.h5 and summary.json; made if missing
  int record;         // nonzero: the answer has `time` and `channels.NAME`, arrays of all recorded moments
  int error;     // nonzero: the run is repeated in finer steps and with richer bases; the answer has `error`
  double settle; // band in which the tip counts as settled [m]; 0: settle_share
  double settle_share; // the same as a share of the peak error; 0: 2 %
  lim_hooks hooks;
} lim_simulate_options;

static inline lim_simulate_options lim_simulate_options_default(void) {
  lim_simulate_options o;
  o.size = sizeof o;
  o.folder = NULL;
  o.record = o.error = 0;
  o.settle = o.settle_share = 0;
  o.hooks.progress = NULL;
  o.hooks.user = NULL;
  o.hooks.stop = NULL;
  return o;
}

lim_code lim_study_simulate(lim_answer **out, const lim_study *study, const lim_simulate_options *options,
                            lim_error *err);

// Efforts of the commanded motion, and how much of them flexibility causes.
typedef struct {
  size_t size;
  lim_hooks hooks;
} lim_inverse_options;

static inline lim_inverse_options lim_inverse_options_default(void) {
  lim_inverse_options o;
  o.size = sizeof o;
  o.hooks.progress = NULL;
  o.hooks.user = NULL;
  o.hooks.stop = NULL;
  return o;
}

lim_code lim_study_inverse(lim_answer **out, const lim_study *study, const lim_inverse_options *options,
                           lim_error *err);

// Inertia that each joint, and its motor, has to accelerate.
typedef struct {
  size_t size;
  const char *route; // "mass" or "jacobian"
  int along;         // moments of the motion, evenly spaced; 0: one per record
  double at;         // one moment only [s]; infinite: not given
} lim_inertia_options;

static inline lim_inertia_options lim_inertia_options_default(void) {
  lim_inertia_options o;
  o.size = sizeof o;
  o.route = "mass";
  o.along = 0;
  o.at = HUGE_VAL;
  return o;
}

lim_code lim_study_inertia(lim_answer **out, const lim_study *study, const lim_inertia_options *options,
                           lim_error *err);

// Joint positions that put a frame at a pose; without a position: where the frame is, and how joints move it. A
// pose that cannot be reached is LIM_FAILED, with an answer that says how near it gets. Numbers are texts, with
// units where wanted. lim_kin below is the same for programs that ask often.
typedef struct {
  size_t size;
  const char *frame;     // "tip", "LINK.tip", "LINK.base" or one of the model's
  const char *position;  // "0.5, 0, 200 mm", world axes
  const char *rpy;       // "0, 90 deg, 0"; NULL: turned any way
  const char *near;      // "elbow=20 deg, ...": the posture to stay near to; NULL: the configuration
  const char *joints;    // without position: the posture that is asked about
  const char *hold;      // "elbow, ...": joints that stay where they are
  const char *rest;      // what more joints than needed prefer: "near", or "middle" of limits
  const char *tolerance; // what may be left of the way; of rotations the same in rad
  int all;               // nonzero: all solutions, the nearest first
  int deformed;          // nonzero: the arm as gravity and loads bend it
} lim_ik_options;

static inline lim_ik_options lim_ik_options_default(void) {
  lim_ik_options o;
  o.size = sizeof o;
  o.frame = o.position = o.rpy = o.near = o.joints = o.hold = o.rest = o.tolerance = NULL;
  o.all = o.deformed = 0;
  return o;
}

lim_code lim_model_ik(lim_answer **out, const lim_model *model, const lim_ik_options *options, lim_error *err);

// Stand-alone C into a folder, or an FMU into a file.
typedef struct {
  size_t size;
  const char *output;      // the folder, which is made; or the file, which ends with .fmu
  const char *name;        // of the code; NULL: that of the model's file
  const char *const *keep; // paths of numbers that stay adjustable, as for overrides (nkeep)
  int nkeep;
  int fmu;       // version of FMI: 2 or 3; 0: C
  int no_binary; // nonzero: an FMU of sources only
} lim_generate_options;

static inline lim_generate_options lim_generate_options_default(void) {
  lim_generate_options o;
  o.size = sizeof o;
  o.output = o.name = NULL;
  o.keep = NULL;
  o.nkeep = o.fmu = o.no_binary = 0;
  return o;
}

lim_code lim_model_generate(lim_answer **out, const lim_model *model, const lim_generate_options *options,
                            lim_error *err);

// Links from finite elements, as the model has them reduced, into files `LINK.h5` that a model can name in
// place of matrices and meshes (`fe: {file: LINK.h5}`). A model without such links is LIM_BAD_INPUT.
typedef struct {
  size_t size;
  const char *folder; // made if missing
} lim_reduce_options;

static inline lim_reduce_options lim_reduce_options_default(void) {
  lim_reduce_options o;
  o.size = sizeof o;
  o.folder = NULL;
  return o;
}

lim_code lim_model_reduce(lim_answer **out, const lim_model *model, const lim_reduce_options *options,
                          lim_error *err);

// --- results ---

// Folders of results, or files in them (.h5, .csv), by their paths.

// Sizes of figures [mm]: a column of a paper, limits. Most segments and peaks of a spectrum.
enum { LIM_FIGURE_WIDTH = 88, LIM_FIGURE_LEAST = 20, LIM_FIGURE_MOST = 600 };
enum { LIM_SPECTRUM_SEGMENTS = 1000000, LIM_SPECTRUM_PEAKS = 1000 };

// How figures look. width, height [mm]; 0: what suits. from, to: of the first column [s], what lies outside is
// left out.
typedef struct {
  size_t size;
  const char *title;
  double width, height, from, to;
  const char *against;      // plot: the channel on the x axis; NULL: the first, which is the time
  const char *const *label; // plot: what the legend calls results, in their order (nlabel)
  int nlabel;
  int stack, log_x, log_y; // plot: a panel for every channel; logarithmic axes
} lim_plot_options;

static inline lim_plot_options lim_plot_options_default(void) {
  lim_plot_options o;
  o.size = sizeof o;
  o.title = o.against = NULL;
  o.width = o.height = 0;
  o.from = -HUGE_VAL;
  o.to = HUGE_VAL;
  o.label = NULL;
  o.nlabel = o.stack = o.log_x = o.log_y = 0;
  return o;
}

// A figure of channels into a file that ends with .svg, .png or .pdf. words (nword): results and channels.
lim_code lim_result_plot(lim_answer **out, const char *const *words, int nword, const char *output,
                         const lim_plot_options *options, lim_error *err);

// Spectral density of a channel.
typedef struct {
  size_t size;
  const char *channel;
  const char *window;  // hann, hamming, blackman, rectangular or flattop
  const char *detrend; // none, mean or linear
  int segments, peaks; // of equal length, 1 to LIM_SPECTRUM_SEGMENTS; to find at most, 0 to LIM_SPECTRUM_PEAKS
  double overlap;      // of segments, 0 to 0.95
  const char *output;  // a table (.csv) or a figure (.svg, .png, .pdf); NULL: none
} lim_spectrum_options;

static inline lim_spectrum_options lim_spectrum_options_default(void) {
  lim_spectrum_options o;
  o.size = sizeof o;
  o.channel = o.output = NULL;
  o.window = "hann";
  o.detrend = "mean";
  o.segments = 1;
  o.peaks = 5;
  o.overlap = 0.5;
  return o;
}

lim_code lim_result_spectrum(lim_answer **out, const char *result, const lim_spectrum_options *options,
                             const lim_plot_options *look, lim_error *err);

// One page of all results. output: NULL: report.html beside the result, which is one then.
lim_code lim_result_report(lim_answer **out, const char *const *results, int count, const char *output,
                           lim_error *err);

// --- stepping ---

// A simulation that the caller steps. One per thread; several may share a model.
typedef struct lim_sim lim_sim;

// At t = 0, with the mode (nonlinear or rigid), method and tolerance of the model's solver. directory: where
// the model's tables are; NULL: the folder of its file. The model must outlive it.
lim_code lim_sim_new(lim_sim **out, const lim_model *model, const char *directory, lim_error *err);
void lim_sim_free(lim_sim *sim);

// The n joints that turn or slide, in the order of links: how many, their names, and the number 0 .. n-1 of one
// by its name, for the functions below (NULL and -1: there is none). Position [rad or m] and velocity now; NaN
// of a joint that does not exist.
int lim_sim_joints(const lim_sim *sim);
const char *lim_sim_joint_name(const lim_sim *sim, int joint);
int lim_sim_joint(const lim_sim *sim, const char *name);
double lim_sim_position(const lim_sim *sim, int joint);
double lim_sim_velocity(const lim_sim *sim, int joint);

// An effort [N m or N] on a joint, beside that of its drive, from now on until it is changed.
lim_code lim_sim_effort(lim_sim *sim, int joint, double effort, lim_error *err);

// Advance by h seconds. Never allocates (method cvode: only at its start).
lim_code lim_sim_step(lim_sim *sim, double h, lim_error *err);
double lim_sim_time(const lim_sim *sim);

// Channels of the model's outputs, by name ("tip.position.x"); -1 and NULL: there is none. Their values now;
// NaN of a channel that does not exist.
int lim_sim_channel(const lim_sim *sim, const char *name);
const char *lim_sim_channel_name(const lim_sim *sim, int channel);
double lim_sim_value(lim_sim *sim, int channel);

// All channels, or all joints, at once: how many there are is the size of the arrays. lim_sim_efforts sets the
// effort on every joint; that of one whose motion is prescribed must be 0.
int lim_sim_channels(const lim_sim *sim);
lim_code lim_sim_values(lim_sim *sim, double *values, lim_error *err);
lim_code lim_sim_positions(const lim_sim *sim, double *positions, lim_error *err);
lim_code lim_sim_velocities(const lim_sim *sim, double *velocities, lim_error *err);
lim_code lim_sim_efforts(lim_sim *sim, const double *efforts, lim_error *err);

// Back to t = 0, without efforts.
lim_code lim_sim_reset(lim_sim *sim, lim_error *err);

// The state as lim_sim_state_size bytes, for simulations of the same model in the same version of the library:
// time, motion, states of drives, controllers and their clocks, efforts. What follows from it is the same bit
// for bit whenever it is set. Models with a controller in Lua, a program that grips parts or damping that is
// built anew along the motion have no such state: 0, LIM_BAD_INPUT.
size_t lim_sim_state_size(const lim_sim *sim);
lim_code lim_sim_state_get(const lim_sim *sim, void *state, size_t size, lim_error *err);
lim_code lim_sim_state_set(lim_sim *sim, const void *state, size_t size, lim_error *err);

// Mass matrix of the n coordinates, joints and deformations alike, at the present state: M (n x n by columns);
// the coordinate of a joint (-1: there is none).
int lim_sim_coordinates(const lim_sim *sim);
int lim_sim_joint_coordinate(const lim_sim *sim, int joint);
lim_code lim_sim_mass(lim_sim *sim, double *M, lim_error *err);

// J (6 x n by columns): velocity [m/s] and angular velocity of a frame, world axes, at speed 1 of each
// coordinate. frame: "tip", "LINK.tip", "LINK.base" or one of the model's.
lim_code lim_sim_jacobian(lim_sim *sim, const char *frame, double *J, lim_error *err);

// --- kinematics ---

// Kinematics of a frame: where it is, how joints move it, which joint positions bring it somewhere. Links are
// undeformed. One per thread; several may share a model.
typedef struct lim_kin lim_kin;

// frame: "tip", "LINK.tip", "LINK.base" or one of the model's frames. The model must outlive it.
lim_code lim_kin_new(lim_kin **out, const lim_model *model, const char *frame, lim_error *err);
void lim_kin_free(lim_kin *reach);

// The n joints between the world and the frame, in the order of all arrays below: how many, their names (NULL:
// there is none of that number), and their positions at t = 0 into q (n) [rad or m]. Of a closed chain: all
// joints that its loops couple, and which of them follow the others.
int lim_kin_joints(const lim_kin *reach);
const char *lim_kin_joint_name(const lim_kin *reach, int joint);
int lim_kin_joint_follows(const lim_kin *reach, int joint);
void lim_kin_start(const lim_kin *reach, double *q);

// At q (n): position [m] and axes of the frame (R by rows; its columns are the frame's x, y, z in the world),
// and J (6 x n by columns), its velocity and angular velocity at speed 1 of each joint. Any of the three may be
// NULL. Without reach or q they are NaN. In a closed chain joints that follow are brought to where they close
// the loops, from where q has them, and their columns are 0; loops that cannot be closed: NaN.
void lim_kin_pose(lim_kin *reach, const double *q, double position[3], double R[9], double *J);

// q (n) := the joint positions nearest to `near` (n) that bring the frame to a position and, unless R is NULL,
// to the axes R, within the joints' limits; q may be near itself. Returns 1, or 0 where it cannot get there:
// then q is as near as it gets. distance [m] and angle [rad] are what is left; they may be NULL. A request that
// is none (an argument NULL, not finite or beyond 1e100, R no rotation) is answered by 0, with distance and
// angle NaN and q as near. Never allocates.
int lim_kin_near(lim_kin *reach, double *q, const double position[3], const double R[9], const double *near,
                 double *distance, double *angle);

// All such joint positions into q (room x n), the nearest first. Returns how many there are, which may be more
// than room; 0: none, and q begins with those that are as near as it gets; -1: the request is none, as above.
int lim_kin_all(lim_kin *reach, double *q, int room, const double position[3], const double R[9],
                const double *near);

#ifdef __cplusplus
}
#endif
#endif

// schema.c - the tables of keys: the one place where the model file's format is written down.
#include "model/schema.h"

#include "model/kinds.h"

#define AT(record, field) offsetof(record, field)
#define END                                                                                                    \
  { 0 }

// clang-format off

static const lim_key line_keys[] = {
  {"from", &lim_vector, AT(lim_line, from), "where the frame starts, world axes", .unit = "m", .n = 3, .need = "*"},
  {"to",   &lim_vector, AT(lim_line, to),   "where it ends, world axes", .unit = "m", .n = 3, .need = "*"},
  END};
static const lim_table line_table = {"line", "A straight line of a frame.", sizeof(lim_line), .key = line_keys};

static const lim_key shaping_keys[] = {
  {"type", &lim_words, AT(lim_shaping, type), "zero vibration; with zero derivative; extra insensitive; or none", .words = "zv|zvd|ei|none", .preset = "zvd"},
  {"mode", &lim_count, AT(lim_shaping, mode), "number of the mode, of the arm with locked joints where its motions end", .range = "0..1000", .preset = "0"},
  {"frequency", &lim_number, AT(lim_shaping, frequency), "natural frequency, in place of a mode", .unit = "Hz", .range = "> 0"},
  {"damping", &lim_number, AT(lim_shaping, damping), "damping ratio (default: the mode's; 0 for a frequency)", .unit = "", .range = "0..0.9"},
  {"tolerance", &lim_number, AT(lim_shaping, tolerance), "ei: what may be left of the vibration", .unit = "", .range = "0..0.5", .preset = "0.05"},
  END};
static const lim_table shaping_table = {"shape", "Input shaping: the motion is told in several parts, so timed that a mode does not go on swinging.",
  sizeof(lim_shaping), .key = shaping_keys};

static const lim_key profile_keys[] = {
  {"profile", &lim_words, AT(lim_profile, kind), "how the value runs in time", .preset = "constant", .kinds = lim_profile_row},
  {"from", &lim_number, AT(lim_profile, from), "value before and at the start (default: the configuration)", .unit = "@", .only = LIM_BY_KIND},
  {"to", &lim_number, AT(lim_profile, to), "value at the end and after it", .unit = "@", .only = LIM_BY_KIND},
  {"start", &lim_number, AT(lim_profile, start), "time at which it begins", .unit = "s", .range = ">= 0"},
  {"duration", &lim_number, AT(lim_profile, duration), "how long it takes (harmonic: 0 after it)", .unit = "s", .range = "> 0",
   .only = LIM_BY_KIND, .need = LIM_BY_KIND},
  {"ramp", &lim_number, AT(lim_profile, ramp), "time of each ramp (default: a third of the duration)", .unit = "s", .range = "> 0", .only = LIM_BY_KIND},
  {"jerk", &lim_number, AT(lim_profile, jerk), "time of each linear piece of the acceleration (default: ramp/2, or duration/8)", .unit = "s",
   .range = "> 0", .only = LIM_BY_KIND},
  {LIM_OWN_KEYS},
  {"line", &lim_record, AT(lim_profile, line), "for the motion of a frame: the line it follows", .table = &line_table, .only = LIM_BY_KIND},
  {"shape", &lim_record_or_records, AT(lim_profile, shapes), "input shaping of the whole motion, against one mode or a list of them", .table = &shaping_table},
  END};
const lim_table lim_in_time_table = {"profile", "A value in time. A plain number is a constant; a list of profiles runs in sequence.",
  sizeof(lim_profile), .tag = "profile", .own = AT(lim_profile, own), .brief = "value", .key = profile_keys};

static const lim_key material_keys[] = {
  {"E", &lim_number, AT(lim_material, E), "Young's modulus", .unit = "Pa", .range = "> 0", .need = "*"},
  {"nu", &lim_number, AT(lim_material, nu), "Poisson's ratio (default: from E and G, at most 0.5; else 0.3)", .unit = "", .range = "-0.99..0.5"},
  {"G", &lim_number, AT(lim_material, G), "shear modulus (default: E/(2(1 + nu)))", .unit = "Pa", .range = "> 0"},
  {"rho", &lim_number, AT(lim_material, rho), "density", .unit = "kg/m^3", .range = ">= 0", .need = "*"},
  {"yield", &lim_number, AT(lim_material, yield), "yield strength, with which stresses are compared (default: they are not)", .unit = "Pa", .range = "> 0"},
  END};
static const lim_table material_table = {"material", "A linear elastic material.", sizeof(lim_material), .key = material_keys};

static const lim_key section_keys[] = {
  {"shape", &lim_words, AT(lim_section, shape), "the kind of section", .kinds = lim_section_row, .need = "*"},
  {"y", &lim_number, AT(lim_section, y), "outer size along the local y axis (general: for stress)", .unit = "m", .range = "> 0",
   .only = LIM_BY_KIND, .need = LIM_BY_KIND},
  {"z", &lim_number, AT(lim_section, z), "outer size along the local z axis (general: for stress)", .unit = "m", .range = "> 0",
   .only = LIM_BY_KIND, .need = LIM_BY_KIND},
  {LIM_OWN_KEYS},
  {"A", &lim_number, AT(lim_section, A), "area; wins over the shape's", .unit = "m^2", .range = "> 0", .need = LIM_BY_KIND},
  {"Iy", &lim_number, AT(lim_section, Iy), "second moment about local y (bending in x-z)", .unit = "m^4", .range = "> 0", .need = LIM_BY_KIND},
  {"Iz", &lim_number, AT(lim_section, Iz), "second moment about local z (bending in x-y)", .unit = "m^4", .range = "> 0", .need = LIM_BY_KIND},
  {"J", &lim_number, AT(lim_section, J), "torsion constant (general: default Iy + Iz)", .unit = "m^4", .range = "> 0"},
  {"kappa", &lim_spread, AT(lim_section, kappa), "shear factor, or [for y, for z] (general: default 5/6)", .unit = "", .range = "> 0", .n = 2},
  END};
static const lim_table section_table = {"section", "A cross-section. Area, second moments, torsion constant and shear factors follow from the shape.",
  sizeof(lim_section), .tag = "shape", .key = section_keys};

static const lim_key pose_keys[] = {
  {"xyz", &lim_vector, AT(lim_pose, xyz), "position", .unit = "m", .preset = "[0, 0, 0]", .n = 3},
  {"rpy", &lim_vector, AT(lim_pose, rpy), "roll, pitch, yaw about fixed axes", .unit = "rad", .preset = "[0, 0, 0]", .n = 3},
  END};
static const lim_table pose_table = {"origin", "Where the joint sits in the frame it is attached to.", sizeof(lim_pose), .key = pose_keys};

static const lim_key dh_keys[] = {
  {"a", &lim_number, AT(lim_dh, a), "length along x after the rotation; negative: the link, and its beam, run along -x", .unit = "m", .preset = "0"},
  {"alpha", &lim_number, AT(lim_dh, alpha), "twist about x at the tip", .unit = "rad", .preset = "0"},
  {"d", &lim_number, AT(lim_dh, d), "offset along z (prismatic: the joint adds to it)", .unit = "m", .preset = "0"},
  {"theta", &lim_number, AT(lim_dh, theta), "rotation about z (revolute: the joint adds to it)", .unit = "rad", .preset = "0"},
  END};
static const lim_table dh_table = {"dh", "A distal Denavit-Hartenberg row: Rz(theta) Tz(d) Tx(a) Rx(alpha). The joint's position adds to theta, of a prismatic joint to d. The link's frame sits after Rz Tz: there is link.base, there com, masses and frames of the link are measured, and from there a beam runs to the tip, at a along x, which is turned by alpha. The tip of a body is its tip and a along x.", sizeof(lim_dh), .key = dh_keys};

static const lim_key stop_keys[] = {
  {"stiffness", &lim_number, AT(lim_stop, stiffness), "of its spring", .unit = "N/m|N m/rad", .range = "> 0", .need = "*"},
  {"damping", &lim_number, AT(lim_stop, damping), "of its damper", .unit = "N s/m|N m s/rad", .range = ">= 0", .preset = "0"},
  END};
static const lim_table stop_table = {"stop", "End stops: a spring and damper beyond each position limit, which press and never pull.", sizeof(lim_stop), .key = stop_keys};

static const lim_key limits_keys[] = {
  {"position", &lim_vector, AT(lim_limits, position), "lowest and highest position", .unit = "m|rad", .n = 2},
  {"velocity", &lim_number, AT(lim_limits, velocity), "largest speed", .unit = "m/s|rad/s", .range = "> 0"},
  {"effort", &lim_number, AT(lim_limits, effort), "largest force or torque", .unit = "N|N m", .range = "> 0"},
  {"stop", &lim_record, AT(lim_limits, stop), "end stops at the position limits (default: none, the joint goes on beyond them)", .table = &stop_table},
  END};
const lim_table lim_limits_table = {"limits", "What the joint can bear.", sizeof(lim_limits), .key = limits_keys};

static const lim_key slide_keys[] = {
  {"free_length", &lim_words, AT(lim_slide, free_length), "'beam': the beam slides through the joint, whose position is the length beyond it", .words = "none|beam", .preset = "beam"},
  {"behind", &lim_words, AT(lim_slide, behind), "the part behind the guide; flexible: it stretches and twists, and stays straight", .words = "rigid|flexible", .preset = "rigid"},
  END};
static const lim_table slide_table = {"slide", "A beam of variable free length in a prismatic joint.", sizeof(lim_slide), .key = slide_keys};

static const lim_key joint_keys[] = {
  {"name", &lim_own_name, AT(lim_joint, head.name), "name (default: the link's)", .words = "base|tip"},
  {"type", &lim_words, AT(lim_joint, type), "what the joint lets move", .kinds = lim_joint_row, .preset = "revolute"},
  {"axis", &lim_vector, AT(lim_joint, axis), "direction of the joint, in its frame after origin", .unit = "", .preset = "[0, 0, 1]", .n = 3, .only = LIM_BY_KIND},
  {"axis2", &lim_vector, AT(lim_joint, axis2), "direction of the second turn, in the axes after the first (default: y across axis, or z where y is along it)", .unit = "", .n = 3, .only = LIM_BY_KIND},
  {"origin", &lim_record, AT(lim_joint, origin), "where the joint sits in the frame it is attached to", .table = &pose_table},
  {"dh", &lim_record, AT(lim_joint, dh), "the same by a Denavit-Hartenberg row", .table = &dh_table, .only = LIM_BY_KIND},
  {"limits", &lim_record, AT(lim_joint, limits), "what the joint can bear", .table = &lim_limits_table, .only = LIM_BY_KIND},
  {"slide", &lim_record, AT(lim_joint, slide), "a beam that slides through the joint", .table = &slide_table, .only = LIM_BY_KIND},
  {"rail", &lim_words, AT(lim_joint, rail), "'beam': the joint runs along the beam of its parent, from its base, on the section where it stands", .words = "none|beam", .preset = "none", .only = LIM_BY_KIND},
  {LIM_OWN_KEYS},
  END};
static const lim_table joint_table = {"joint", "How a link hangs on its parent.", sizeof(lim_joint), .tag = "type", .key = joint_keys};

static const lim_key piece_keys[] = {
  {"length", &lim_number, AT(lim_piece, length), "length of the piece", .unit = "m", .range = "> 0"},
  {"section", &lim_reference, AT(lim_piece, from), "section all along the piece"},
  {"from", &lim_reference, AT(lim_piece, from), "section at its start: the piece is tapered"},
  {"to", &lim_reference, AT(lim_piece, to), "section at its end, of the same shape"},
  END};
static const lim_table piece_table = {"piece", "A stretch of a beam: a section's name, {from, to} where it is tapered, or a list of pieces with their lengths.",
  sizeof(lim_piece), .brief = "section", .key = piece_keys};

static const lim_key beam_keys[] = {
  {"length", &lim_number, AT(lim_beam, length), "length (default: that of a of the DH row, or the sum of the pieces)", .unit = "m", .range = "> 0"},
  {"section", &lim_record_or_records, AT(lim_beam, pieces), "section, or pieces of a stepped or tapered beam", .table = &piece_table, .need = "*"},
  {"material", &lim_reference, AT(lim_beam, material), "material", .need = "*"},
  {"elements", &lim_count, AT(lim_beam, elements), "finite elements for the whole link", .range = "1..200", .preset = "10"},
  {"element", &lim_words, AT(lim_beam, element), "kind of finite element (timoshenko-exact locks in bending: it is there to show that)", .kinds = lim_element_row, .preset = "timoshenko-cubic"},
  {"segments", &lim_count, AT(lim_beam, segments), "floating frames into which the link is split", .range = "1..200", .preset = "1"},
  {"mass", &lim_words, AT(lim_beam, lumped), "mass matrix of the elements: by their shape functions, or half of each at its nodes", .words = "consistent|lumped", .preset = "consistent"},
  {"rotary", &lim_words, AT(lim_beam, no_rotary), "rotary inertia of the sections in bending", .words = "on|off", .preset = "on"},
  END};
static const lim_table beam_table = {"beam", "A flexible link, along the local +x axis.", sizeof(lim_beam), .key = beam_keys};

static const lim_key body_keys[] = {
  {"mass", &lim_number, AT(lim_rigid, mass), "mass", .unit = "kg", .range = ">= 0", .preset = "0"},
  {"com", &lim_vector, AT(lim_rigid, com), "centre of mass, link axes", .unit = "m", .preset = "[0, 0, 0]", .n = 3},
  {"inertia", &lim_inertia_tensor, AT(lim_rigid, inertia), "[ixx, iyy, izz] or [ixx, iyy, izz, ixy, ixz, iyz] about com, link axes", .unit = "kg m^2", .n = 6},
  {"tip", &lim_vector, AT(lim_rigid, tip), "the link's tip, link axes", .unit = "m", .preset = "[0, 0, 0]", .n = 3},
  END};
static const lim_table body_table = {"body", "A rigid link.", sizeof(lim_rigid), .key = body_keys};

static const lim_key fe_units_keys[] = {
  {"length", &lim_string, AT(lim_fe_units, length), "unit of lengths, as mm"},
  {"mass", &lim_string, AT(lim_fe_units, mass), "unit of masses, as t; with mm and s, forces are then in N"},
  END};
static const lim_table fe_units_table = {"fe-units", "Units of the files of a finite-element model (default: SI).", sizeof(lim_fe_units), .key = fe_units_keys};

static const lim_key fe_frame_keys[] = {
  {"nodes", &lim_nodes, AT(lim_fe_frame, nodes), "a set of nodes, or a list of ids of nodes"},
  {"coupling", &lim_words, AT(lim_fe_frame, coupling), "rigid: the nodes move as one body; mean: the frame moves with their mean and holds nothing else", .words = "rigid|mean", .preset = "rigid"},
  {"xyz", &lim_vector, AT(lim_fe_frame, xyz), "where it is, axes of the file (default: the mean of the nodes)", .unit = "m", .n = 3},
  {"rpy", &lim_vector, AT(lim_fe_frame, rpy), "its axes against those of the file: roll, pitch, yaw", .unit = "rad", .preset = "[0, 0, 0]", .n = 3},
  END};
static const lim_table fe_frame_table = {"fe-frame", "Where joints, masses and forces attach to a link from finite elements. The link's own frame is that of `base`.", sizeof(lim_fe_frame), .key = fe_frame_keys};

static const lim_key prestressed_keys[] = {
  {"force", &lim_vector, AT(lim_fe_prestressed, force), "force on a frame, axes of the file", .unit = "N", .n = 3},
  {"at", &lim_reference, AT(lim_fe_prestressed, at), "the frame"},
  {"spin", &lim_vector, AT(lim_fe_prestressed, spin), "or angular velocity about the base, axes of the file", .unit = "rad/s", .n = 3},
  {"stiffness", &lim_file, AT(lim_fe_prestressed, stiffness), "stiffness matrix of the same mesh under that", .need = "*"},
  {"dofs", &lim_file, AT(lim_fe_prestressed, dofs), "its rows, where they are not those of the other matrices: a mesh that was held at its base"},
  END};
static const lim_table prestressed_table = {"prestressed", "The stiffness matrix of a loaded mesh: its difference to `stiffness`, scaled with the load (spin: squared), is its geometric stiffness.",
  sizeof(lim_fe_prestressed), .key = prestressed_keys};

static const lim_key fe_matrices_keys[] = {
  {"mass", &lim_file, AT(lim_fe_matrices, mass), "mass matrix (Matrix Market)", .need = "*"},
  {"stiffness", &lim_file, AT(lim_fe_matrices, stiffness), "stiffness matrix, free-free", .need = "*"},
  END};
static const lim_table fe_matrices_table = {"reduced", "Matrices that were reduced elsewhere: six coordinates for each of `frames` in their order (translations, rotations, axes of base), then modal ones.",
  sizeof(lim_fe_matrices), .key = fe_matrices_keys};

static const lim_key fe_keys[] = {
  {"stiffness", &lim_file, AT(lim_fe, stiffness), "stiffness matrix: CalculiX (.sti), Matrix Market, or rows `row column value`"},
  {"mass", &lim_file, AT(lim_fe, mass), "mass matrix, likewise"},
  {"dofs", &lim_file, AT(lim_fe, dofs), "for each row of the matrices node.direction: 1 to 3, of rotations 4 to 6 (default: all nodes in order)"},
  {"nodes", &lim_file, AT(lim_fe, nodes), "coordinates, node sets and elements: an input deck, or a CSV id, x, y, z"},
  {"units", &lim_record, AT(lim_fe, units), "units of these files (default: SI)", .table = &fe_units_table},
  {"frames", &lim_named_records, AT(lim_fe, frames), "where joints, masses and forces attach; `base` is needed", .table = &fe_frame_table},
  {"prestressed", &lim_record_or_records, AT(lim_fe, prestressed), "stiffness of loaded states, for geometric stiffening", .table = &prestressed_table},
  {"reduced", &lim_record, AT(lim_fe, reduced), "in place of all files: matrices that were reduced elsewhere", .table = &fe_matrices_table},
  {"file", &lim_file, AT(lim_fe, file), "in place of all that: what `limber reduce` left (.h5)"},
  {"material", &lim_reference, AT(lim_fe, material), "material of its stresses (default: that of the deck)"},
  END};
static const lim_table fe_table = {"fe", "A link from finite elements: matrices of another program, reduced to a few coordinates.", sizeof(lim_fe), .key = fe_keys};

static const lim_key basis_keys[] = {
  {"type", &lim_words, AT(lim_basis, type), "coordinates of the deformation", .words = "full|modes|craig-bampton|rigid", .preset = "full"},
  {"up_to", &lim_number, AT(lim_basis, up_to), "in place of count, of a link from finite elements: all modes up to this frequency", .unit = "Hz", .range = "> 0", .only = "craig-bampton"},
  {"count", &lim_count, AT(lim_basis, count), "number of modes, beside shapes that carry what acts on held places or on inner ends of segments", .range = "0..1000", .only = "modes craig-bampton", .need = "modes"},
  END};
static const lim_table basis_table = {"basis", "Which deformations a link may take.", sizeof(lim_basis), .tag = "type", .brief = "type", .key = basis_keys};

#define DAMPING_KEYS \
  {"ratio", &lim_series, AT(lim_damping, ratio), "damping ratio of every mode, or [of the first, of the second, ...], the last of all higher ones", .unit = "", .range = "0..1"}, \
  {"mass", &lim_number, AT(lim_damping, mass), "factor of the mass matrix", .unit = "1/s", .range = ">= 0"}, \
  {"stiffness", &lim_number, AT(lim_damping, stiffness), "factor of the stiffness matrix", .unit = "s", .range = ">= 0"}, \
  {"strain_rate", &lim_number, AT(lim_damping, strain_rate), "strain-rate damping", .unit = "N s", .range = ">= 0"}

static const lim_key damping_keys[] = {DAMPING_KEYS, END};
static const lim_table damping_table = {"link-damping", "Damping of a link.", sizeof(lim_damping), .key = damping_keys};
static const lim_key arm_damping_keys[] = {
  DAMPING_KEYS,
  {"update", &lim_number, AT(lim_damping, update), "time after which it is built anew where the arm then stands (default: only at t = 0)", .unit = "s", .range = "> 0"},
  END};
static const lim_table arm_damping_table = {"damping", "Damping of the whole arm, its joints locked.", sizeof(lim_damping), .key = arm_damping_keys};

static const lim_key mass_keys[] = {
  {"name", &lim_own_name, AT(lim_mass, head.name), "name (default: its place)"},
  {"at", &lim_along, AT(lim_mass, at), "base, tip, a fraction 0..1 of the length, a distance; of a link from finite elements one of its frames", .preset = "tip", .n = 2},
  {"xyz", &lim_vector, AT(lim_mass, xyz), "rigid offset from there, link axes", .unit = "m", .preset = "[0, 0, 0]", .n = 3},
  {"mass", &lim_number, AT(lim_mass, mass), "mass", .unit = "kg", .range = ">= 0", .preset = "0"},
  {"inertia", &lim_inertia_tensor, AT(lim_mass, inertia), "[ixx, iyy, izz] or [ixx, iyy, izz, ixy, ixz, iyz], link axes", .unit = "kg m^2", .n = 6},
  END};
static const lim_table mass_table = {"mass", "A concentrated mass or inertia on a link.", sizeof(lim_mass), .key = mass_keys};

static const lim_key gauge_keys[] = {
  {"name", &lim_own_name, AT(lim_gauge, head.name), "name of the channel link.name.strain", .need = "*"},
  {"at", &lim_along, AT(lim_gauge, at), "on a beam: base, tip, a fraction 0..1 of the length, or a distance"},
  {"face", &lim_words, AT(lim_gauge, face), "on a beam: side of the section it sits on", .words = "+y|-y|+z|-z", .preset = "+y"},
  {"element", &lim_count, AT(lim_gauge, element), "on a link from finite elements: number of the element in whose middle it is", .range = "1..2147483647"},
  {"nodes", &lim_nodes, AT(lim_gauge, nodes), "or nodes of the surface by their numbers, of which it gives the mean"},
  {"direction", &lim_vector, AT(lim_gauge, direction), "there: along what it measures, axes of the link", .unit = "", .preset = "[1, 0, 0]", .n = 3},
  {"side", &lim_words, AT(lim_gauge, side), "there, on a shell: the side to which its normal points, or the other", .words = "top|bottom", .preset = "top"},
  {"rate", &lim_number, AT(lim_gauge, rate), "sampling rate of its converter (default: continuous)", .unit = "Hz", .range = "> 0"},
  {"bits", &lim_count, AT(lim_gauge, bits), "bits of its converter (default: exact)", .range = "1..32"},
  END};
static const lim_table gauge_table = {"gauge", "A strain gauge; tension is positive.", sizeof(lim_gauge), .key = gauge_keys};

static const lim_key air_keys[] = {
  {"density", &lim_number, AT(lim_air, density), "density of the air", .unit = "kg/m^3", .range = "> 0", .need = "*"},
  {"drag", &lim_number, AT(lim_air, drag), "drag coefficient c", .unit = "", .range = "> 0", .need = "*"},
  END};
static const lim_table air_table = {"air", "Drag of the air on the beam: -1/2 density c d |v| v per length, v the velocity across the beam, d its outer size across v.", sizeof(lim_air), .key = air_keys};

static const lim_key link_keys[] = {
  {"name", &lim_own_name, AT(lim_link, head.name), "name", .words = "base|tip", .need = "*"},
  {"parent", &lim_reference, AT(lim_link, parent), "link it hangs on, or base (default: the link before)"},
  {"at", &lim_along, AT(lim_link, at), "frame of the parent: base, tip or a named frame", .preset = "tip", .n = 1},
  {"joint", &lim_record, AT(lim_link, joint), "how it hangs there", .table = &joint_table},
  {"beam", &lim_record, AT(lim_link, beam), "a flexible link", .table = &beam_table},
  {"body", &lim_record, AT(lim_link, body), "a rigid link, instead of a beam", .table = &body_table},
  {"fe", &lim_record, AT(lim_link, fe), "a link from finite elements, instead of a beam", .table = &fe_table},
  {"basis", &lim_record, AT(lim_link, basis), "which deformations the link may take", .table = &basis_table},
  {"damping", &lim_record, AT(lim_link, damping), "damping of the link", .table = &damping_table},
  {"air", &lim_record, AT(lim_link, air), "drag of the air on the beam", .table = &air_table},
  {"masses", &lim_records, AT(lim_link, masses), "concentrated masses", .table = &mass_table},
  {"gauges", &lim_records, AT(lim_link, gauges), "strain gauges", .table = &gauge_table},
  END};
static const lim_table link_table = {"link", "A link with the joint it hangs on; parents stand before children. Neither beam nor body nor fe: a massless frame.",
  sizeof(lim_link), .key = link_keys};

static const lim_key loop_keys[] = {
  {"name", &lim_own_name, AT(lim_loop, head.name), "name", .words = "base|tip", .need = "*"},
  {"type", &lim_words, AT(lim_loop, type), "what the closure holds", .words = "revolute|spherical|fixed|prismatic|point-on-line|rail", .preset = "revolute"},
  {"between", &lim_two_in_arm, AT(lim_loop, between), "the two frames that meet; of a rail a frame, and the link on whose bent axis it stays", .need = "*"},
  {"axis", &lim_vector, AT(lim_loop, axis), "axis in the first frame", .unit = "", .preset = "[0, 0, 1]", .n = 3, .only = "revolute prismatic point-on-line"},
  {"axis2", &lim_vector, AT(lim_loop, axis2), "axis in the second frame (default: the same)", .unit = "", .n = 3, .only = "revolute prismatic point-on-line"},
  END};
static const lim_table loop_table = {"loop", "A closure of a kinematic chain.", sizeof(lim_loop), .tag = "type", .key = loop_keys};

static const lim_key coupling_keys[] = {
  {"name", &lim_own_name, AT(lim_coupling, head.name), "name of the channel name.effort", .words = "base|tip", .need = "*"},
  {"joints", &lim_names, AT(lim_coupling, joints), "the joints that it couples, each with one freedom", .need = "*"},
  {"ratio", &lim_number, AT(lim_coupling, ratio), "of two joints: position of the second = ratio x position of the first + offset", .unit = "|m/rad|rad/m", .range = "!= 0"},
  {"factors", &lim_numbers, AT(lim_coupling, factors), "in place of ratio, one for each joint: the sum of factors x positions is offset", .unit = "|m/rad|rad/m", .range = "!= 0"},
  {"offset", &lim_number, AT(lim_coupling, offset), "see ratio and factors, in the unit of the last joint", .unit = "m|rad", .preset = "0"},
  END};
static const lim_table coupling_table = {"coupling", "A linear relation between positions of joints that holds exactly: gears, belts, racks, differentials. Terms have the unit of the last joint: ratios and factors are pure numbers, or m/rad and rad/m between joints that turn and joints that slide.",
  sizeof(lim_coupling), .key = coupling_keys};

static const lim_key frame_keys[] = {
  {"name", &lim_own_name, AT(lim_frame, head.name), "name", .words = "base", .need = "*"},
  {"on", &lim_reference, AT(lim_frame, on), "link that carries it, or base", .need = "*"},
  {"at", &lim_along, AT(lim_frame, at), "base, tip, a fraction 0..1 of the length, a distance; of a link from finite elements one of its frames", .preset = "base", .n = 2},
  {"xyz", &lim_vector, AT(lim_frame, xyz), "offset from there, link axes", .unit = "m", .preset = "[0, 0, 0]", .n = 3},
  {"rpy", &lim_vector, AT(lim_frame, rpy), "roll, pitch, yaw against the link", .unit = "rad", .preset = "[0, 0, 0]", .n = 3},
  END};
static const lim_table frame_table = {"frame", "A named place.", sizeof(lim_frame), .key = frame_keys};

static const lim_key state_keys[] = {
  {"position", &lim_spread, AT(lim_joint_state, position), "position (free joint: 3 numbers)", .unit = "m|rad", .n = 3, .preset = "0"},
  {"rpy", &lim_vector, AT(lim_joint_state, rpy), "orientation of a free or spherical joint: roll, pitch, yaw", .unit = "rad", .n = 3, .preset = "[0, 0, 0]"},
  {"quaternion", &lim_vector, AT(lim_joint_state, quaternion), "the same as a quaternion [w, x, y, z]", .unit = "", .n = 4},
  {"velocity", &lim_spread, AT(lim_joint_state, velocity), "speed (free joint: 3 numbers, of the link's origin, world axes)", .unit = "m/s|rad/s", .n = 3, .preset = "0"},
  {"angular_velocity", &lim_vector, AT(lim_joint_state, angular_velocity), "angular velocity of a free or spherical joint, axes of its link", .unit = "rad/s", .n = 3, .preset = "[0, 0, 0]"},
  END};
static const lim_table state_table = {"configuration", "A joint at the start: its position, or this record.", sizeof(lim_joint_state), .brief = "position", .key = state_keys};

static const lim_key deformation_keys[] = {
  {"tip", &lim_vector, AT(lim_bent, tip), "displacement of the tip, link axes, to first order (what bending shortens comes to it)", .unit = "m", .preset = "[0, 0, 0]", .n = 3},
  {"rate", &lim_vector, AT(lim_bent, rate), "its rate", .unit = "m/s", .preset = "[0, 0, 0]", .n = 3},
  END};
static const lim_table deformation_table = {"deformation", "Links at the start, by name: bent as a force at their tip would bend them. Written as an entry `deformation` of the configuration.", sizeof(lim_bent), .key = deformation_keys};

static const lim_key law_keys[] = {
  {"table", &lim_file, AT(lim_law, table), "CSV file, relative to the model: elongation, force; straight between rows and beyond", .need = "*"},
  END};
static const lim_table law_table = {"force", "A force that follows a table.", sizeof(lim_law), .key = law_keys};

static const lim_key gear_law_keys[] = {
  {"table", &lim_file, AT(lim_law, table), "CSV file, relative to the model: deflection, torque of the output; straight between rows and beyond", .need = "*"},
  END};
static const lim_table gear_law_table = {"torque", "A torque that follows a table.", sizeof(lim_law), .key = gear_law_keys};

static const lim_key friction_keys[] = {
  {"on", &lim_words, AT(lim_friction, on), "side on which it acts; motor: values are torques and speeds of the rotor", .words = "output|motor", .preset = "output"},
  {"law", &lim_words, AT(lim_friction, law), "Coulomb's, which truly sticks, or LuGre with presliding", .words = "coulomb|lugre", .preset = "coulomb"},
  {"viscous", &lim_number, AT(lim_friction, viscous), "effort per speed", .unit = "N s/m|N m s/rad", .range = ">= 0", .preset = "0", .only = "output"},
  {"viscous", &lim_number, AT(lim_friction, viscous), "of the rotor: effort per speed", .unit = "N m s/rad", .range = ">= 0", .preset = "0", .only = "motor"},
  {"coulomb", &lim_number, AT(lim_friction, coulomb), "effort while sliding", .unit = "N|N m", .range = ">= 0", .preset = "0", .only = "output"},
  {"coulomb", &lim_number, AT(lim_friction, coulomb), "of the rotor: effort while sliding", .unit = "N m", .range = ">= 0", .preset = "0", .only = "motor"},
  {"stiction", &lim_number, AT(lim_friction, stiction), "breakaway effort (default: coulomb)", .unit = "N|N m", .range = ">= 0", .only = "output"},
  {"stiction", &lim_number, AT(lim_friction, stiction), "of the rotor: breakaway effort (default: coulomb)", .unit = "N m", .range = ">= 0", .only = "motor"},
  {"stribeck_speed", &lim_number, AT(lim_friction, stribeck_speed), "speed at which 1/e of stiction - coulomb is left (default: it drops at once)", .unit = "m/s|rad/s", .range = "> 0", .only = "output"},
  {"stribeck_speed", &lim_number, AT(lim_friction, stribeck_speed), "of the rotor: speed at which 1/e of stiction - coulomb is left (default: it drops at once)", .unit = "rad/s", .range = "> 0", .only = "motor"},
  {"bristle_stiffness", &lim_number, AT(lim_friction, bristle_stiffness), "lugre: effort per presliding displacement", .unit = "N/m|N m/rad", .range = "> 0", .only = "output"},
  {"bristle_stiffness", &lim_number, AT(lim_friction, bristle_stiffness), "of the rotor: lugre: effort per presliding displacement", .unit = "N m/rad", .range = "> 0", .only = "motor"},
  {"bristle_damping", &lim_number, AT(lim_friction, bristle_damping), "lugre: effort per speed of the bristles (default: 0)", .unit = "N s/m|N m s/rad", .range = ">= 0", .only = "output"},
  {"bristle_damping", &lim_number, AT(lim_friction, bristle_damping), "of the rotor: lugre: effort per speed of the bristles (default: 0)", .unit = "N m s/rad", .range = ">= 0", .only = "motor"},
  END};
static const lim_table friction_table = {"friction", "Friction of a drive.", sizeof(lim_friction), .tag = "on", .key = friction_keys};

static const lim_key motor_keys[] = {
  {"mass", &lim_number, AT(lim_motor, mass), "mass of the whole motor", .unit = "kg", .range = ">= 0", .preset = "0"},
  {"rotor_inertia", &lim_number, AT(lim_motor, rotor_inertia), "inertia of the rotor about its axis", .unit = "kg m^2", .range = ">= 0", .preset = "0"},
  {"stator_inertia", &lim_number, AT(lim_motor, stator_inertia), "inertia of the rest about that axis", .unit = "kg m^2", .range = ">= 0", .preset = "0"},
  {"ratio", &lim_number, AT(lim_motor, ratio), "rotor turns per joint turn (prismatic: rad/m)", .unit = "", .range = "!= 0", .preset = "1"},
  {"radius", &lim_number, AT(lim_motor, radius), "prismatic: ratio is divided by it", .unit = "m", .range = "> 0"},
  {"rotor", &lim_words, AT(lim_motor, rotor), "all of the rotor's kinetics, or its reflected inertia only", .words = "complete|simple", .preset = "complete"},
  {"on", &lim_in_arm, AT(lim_motor, on), "frame that carries it (default: where the link is attached)"},
  {"offset", &lim_vector, AT(lim_motor, offset), "offset from there", .unit = "m", .preset = "[0, 0, 0]", .n = 3},
  {"axis", &lim_vector, AT(lim_motor, axis), "axis of the rotor (default: the joint's)", .unit = "", .n = 3},
  {"torque_limit", &lim_number, AT(lim_motor, torque_limit), "largest torque on the shaft (default: none)", .unit = "N m", .range = "> 0"},
  {"no_load_speed", &lim_number, AT(lim_motor, no_load_speed), "rotor's speed at which torque_limit, falling from rest on, is 0; braking torque keeps it (default: none)", .unit = "rad/s", .range = "> 0"},
  {"resistance", &lim_number, AT(lim_motor, resistance), "of the winding; the motor then gets the voltage resistance x torque / torque_constant", .unit = "ohm", .range = "> 0"},
  {"inductance", &lim_number, AT(lim_motor, inductance), "inductance of the winding (default: 0)", .unit = "H", .range = ">= 0"},
  {"torque_constant", &lim_number, AT(lim_motor, torque_constant), "torque per current", .unit = "N m/A", .range = "> 0"},
  {"back_emf", &lim_number, AT(lim_motor, back_emf), "induced voltage per speed of the rotor (default: torque_constant)", .unit = "V s/rad", .range = ">= 0"},
  {"voltage_limit", &lim_number, AT(lim_motor, voltage_limit), "largest voltage (default: none)", .unit = "V", .range = "> 0"},
  END};
static const lim_table motor_table = {"motor", "A motor: a body on the carrying link, with a rotor.", sizeof(lim_motor), .key = motor_keys};

static const lim_key gear_keys[] = {
  {"stiffness", &lim_number, AT(lim_gear, stiffness), "stiffness on the output side (default: rigid)", .unit = "N/m|N m/rad", .range = "> 0"},
  {"damping", &lim_number, AT(lim_gear, damping), "damping on the output side", .unit = "N s/m|N m s/rad", .range = ">= 0", .preset = "0"},
  {"backlash", &lim_number, AT(lim_gear, backlash), "total play on the output side", .unit = "m|rad", .range = ">= 0", .preset = "0"},
  {"torque", &lim_record, AT(lim_gear, torque), "torque by a table, instead of stiffness", .table = &gear_law_table},
  {"efficiency", &lim_number, AT(lim_gear, efficiency), "power out over power in, whichever side drives", .unit = "", .range = "0.01..1", .preset = "1"},
  {"friction", &lim_record, AT(lim_gear, friction), "friction in the gear", .table = &friction_table},
  END};
static const lim_table gear_table = {"gear", "The gear between motor and joint.", sizeof(lim_gear), .key = gear_keys};

static const lim_key feedforward_keys[] = {
  {"velocity", &lim_number, AT(lim_feedforward, velocity), "share of kv x the commanded speed", .unit = "", .range = ">= 0", .preset = "0"},
  {"acceleration", &lim_number, AT(lim_feedforward, acceleration), "share of the inertia at the motor x the commanded acceleration", .unit = "", .range = ">= 0", .preset = "0"},
  {"torque", &lim_number, AT(lim_feedforward, torque), "share of what the arm with rigid links needs for the commanded motion", .unit = "", .range = ">= 0", .preset = "0"},
  END};
static const lim_table feedforward_table = {"feedforward", "What a controller adds from the commanded motion.", sizeof(lim_feedforward), .key = feedforward_keys};

static const lim_key control_keys[] = {
  {"type", &lim_words, AT(lim_control, type), "kind of controller", .kinds = lim_control_row, .preset = "pd"},
  {"kp", &lim_number, AT(lim_control, kp), "motor torque per error of the joint's position", .unit = "N m/m|N m/rad", .range = ">= 0", .only = LIM_BY_KIND},
  {"kv", &lim_number, AT(lim_control, kv), "motor torque per speed of the rotor", .unit = "N m s/rad", .range = ">= 0", .only = LIM_BY_KIND},
  {LIM_OWN_KEYS},
  {"bandwidth", &lim_number, AT(lim_control, bandwidth), "gains follow from this and the inertia at the motor instead", .unit = "rad/s", .range = "> 0", .only = LIM_BY_KIND},
  {"damping", &lim_number, AT(lim_control, damping), "damping ratio that goes with bandwidth", .unit = "", .range = ">= 0", .preset = "1", .only = LIM_BY_KIND},
  {"gains", &lim_words, AT(lim_control, gains), "inertia that goes with bandwidth: at the start, its maximum over the whole motion, or as it changes along it", .words = "initial|maximum|scheduled", .preset = "initial", .only = LIM_BY_KIND},
  {"measure", &lim_words, AT(lim_control, measure), "side on which the position is measured", .words = "output|motor", .preset = "output", .only = LIM_BY_KIND},
  {"position", &lim_reference, AT(lim_control, position), "block whose output is taken for the measured position", .only = LIM_BY_KIND},
  {"feedforward", &lim_record, AT(lim_control, feedforward), "what is added from the commanded motion", .table = &feedforward_table, .only = LIM_BY_KIND},
  {"limit", &lim_number, AT(lim_control, limit), "largest torque that is asked for (default: none)", .unit = "N m", .range = "> 0"},
  {"rate", &lim_number, AT(lim_control, rate), "how often it samples and sets the torque, which it holds in between (default: continuous)", .unit = "Hz", .range = "1e-6..1e6", .need = LIM_BY_KIND},
  {"delay", &lim_number, AT(lim_control, delay), "time from sampling to setting the torque", .unit = "s", .range = ">= 0", .preset = "0"},
  END};
static const lim_table control_table = {"control", "A motor's controller.", sizeof(lim_control), .tag = "type", .own = AT(lim_control, own), .key = control_keys};

static const lim_key drive_keys[] = {
  {"type", &lim_words, AT(lim_drive, type), "what drives the joint", .words = "prescribed|effort|servo|motor|free", .need = "*"},
  {"stiffness", &lim_number, AT(lim_drive, stiffness), "spring to the commanded position", .unit = "N/m|N m/rad", .range = "> 0", .only = "servo"},
  {"damping", &lim_number, AT(lim_drive, damping), "damper to the commanded position", .unit = "N s/m|N m s/rad", .range = ">= 0", .only = "servo"},
  {"frequency", &lim_number, AT(lim_drive, frequency), "structural frequency f0; stiffness = inertia (pi f0)^2, critically damped", .unit = "Hz", .range = "> 0", .only = "servo"},
  {"inertia", &lim_number, AT(lim_drive, inertia), "inertia that goes with frequency", .unit = "kg|kg m^2", .range = "> 0", .only = "servo"},
  {"effort", &lim_in_time_or_block, AT(lim_drive, effort), "effort on the joint, or {block: name}; 'rigid': what the arm with rigid links needs", .unit = "N|N m", .words = "rigid", .table = &lim_in_time_table, .only = "effort"},
  {"torque", &lim_in_time_or_block, AT(lim_drive, torque), "torque of the motor, beside its controller's, or {block: name}; 'rigid': what the arm with rigid links needs", .unit = "N m", .words = "rigid", .table = &lim_in_time_table, .only = "motor"},
  {"motor", &lim_record, AT(lim_drive, motor), "the motor", .table = &motor_table, .only = "motor", .need = "motor"},
  {"gear", &lim_record, AT(lim_drive, gear), "its gear", .table = &gear_table, .only = "motor"},
  {"control", &lim_record, AT(lim_drive, control), "its controller", .table = &control_table, .only = "motor"},
  {"friction", &lim_record, AT(lim_drive, friction), "friction", .table = &friction_table},
  END};
static const lim_table drive_table = {"drive", "What moves a joint.", sizeof(lim_drive), .tag = "type", .key = drive_keys};

static const lim_key motion_keys[] = {
  {"profile", &lim_in_time, AT(lim_motion, profile), "what the joint is told to do", .unit = "m|rad", .table = &lim_in_time_table},
  END};
static const lim_table motion_table = {"motion", "What a joint, or a frame, is told to do.", sizeof(lim_motion), .brief = "profile", .whole = true, .key = motion_keys};

static const lim_key block_keys[] = {
  {"name", &lim_own_name, AT(lim_block, head.name), "name, also of its channel", .words = "base|tip", .need = "*"},
  {"type", &lim_words, AT(lim_block, type), "what it does", .kinds = lim_block_row, .need = "*"},
  {"input", &lim_input_names, AT(lim_block, inputs), "what it takes: names of blocks or of what is measured (sum: a list)", .only = LIM_BY_KIND, .need = LIM_BY_KIND},
  {"gain", &lim_number, AT(lim_block, gain), "factor", .unit = "", .preset = "1", .only = LIM_BY_KIND},
  {"frequency", &lim_number, AT(lim_block, frequency), "natural frequency", .unit = "Hz", .range = "> 0", .only = LIM_BY_KIND, .need = LIM_BY_KIND},
  {"damping", &lim_number, AT(lim_block, damping), "damping ratio of the denominator", .unit = "", .range = "> 0", .preset = "1", .only = LIM_BY_KIND},
  {"limits", &lim_vector, AT(lim_block, limits), "lowest and highest output; of a dead zone: inputs between which the output is 0", .unit = "", .n = 2,
   .only = LIM_BY_KIND, .need = LIM_BY_KIND},
  {"rate", &lim_number, AT(lim_block, rate), "how often it runs", .unit = "Hz", .range = "1e-6..1e6", .only = LIM_BY_KIND, .need = LIM_BY_KIND},
  {"deviation", &lim_number, AT(lim_block, deviation), "standard deviation of the noise", .unit = "", .range = ">= 0", .preset = "0", .only = LIM_BY_KIND, .need = LIM_BY_KIND},
  {"seed", &lim_count, AT(lim_block, seed), "which of the repeatable sequences of noise", .range = "0..1000000000", .preset = "1", .only = LIM_BY_KIND},
  {"initial", &lim_number, AT(lim_block, initial), "output at the start", .unit = "", .preset = "0", .only = LIM_BY_KIND},
  {"file", &lim_file, AT(lim_block, file), "CSV file with both instead, relative to the model", .only = LIM_BY_KIND},
  {LIM_OWN_KEYS},
  END};
static const lim_table block_table = {"block", "A block of a controller: it takes signals and gives one.", sizeof(lim_block), .tag = "type", .own = AT(lim_block, own), .key = block_keys};

static const lim_key spring_keys[] = {
  {"name", &lim_own_name, AT(lim_spring, head.name), "name", .words = "base|tip", .need = "*"},
  {"between", &lim_two_in_arm, AT(lim_spring, between), "its two ends", .need = "*"},
  {"stiffness", &lim_number, AT(lim_spring, stiffness), "stiffness", .unit = "N/m", .range = ">= 0", .preset = "0"},
  {"damping", &lim_number, AT(lim_spring, damping), "damping", .unit = "N s/m", .range = ">= 0", .preset = "0"},
  {"length", &lim_in_time, AT(lim_spring, length), "free length (default: the distance in the configuration)", .unit = "m", .table = &lim_in_time_table},
  {"force", &lim_record, AT(lim_spring, force), "force by a table, instead of stiffness", .table = &law_table},
  {"preload", &lim_number, AT(lim_spring, preload), "force at the free length, pulling", .unit = "N", .preset = "0"},
  END};
static const lim_table spring_table = {"spring", "A spring and damper between two frames.", sizeof(lim_spring), .key = spring_keys};

static const lim_key bushing_keys[] = {
  {"name", &lim_own_name, AT(lim_bushing, head.name), "name", .words = "base|tip", .need = "*"},
  {"between", &lim_two_in_arm, AT(lim_bushing, between), "its two frames; its axes are the second's", .need = "*"},
  {"stiffness", &lim_vector, AT(lim_bushing, stiffness), "three directions, three rotations", .unit = "N/m|N m/rad", .range = ">= 0", .n = 6, .need = "*"},
  {"damping", &lim_vector, AT(lim_bushing, damping), "the same for damping", .unit = "N s/m|N m s/rad", .range = ">= 0", .preset = "[0, 0, 0, 0, 0, 0]", .n = 6},
  END};
static const lim_table bushing_table = {"bushing", "Six springs and dampers between two frames.", sizeof(lim_bushing), .key = bushing_keys};

static const lim_key plane_keys[] = {
  {"on", &lim_in_arm, AT(lim_contact_plane, on), "link or frame that carries it, in whose axes it is given (default: the world)"},
  {"point", &lim_vector, AT(lim_contact_plane, point), "a point of the plane", .unit = "m", .preset = "[0, 0, 0]", .n = 3},
  {"normal", &lim_vector, AT(lim_contact_plane, normal), "towards the side that is free", .unit = "", .preset = "[0, 0, 1]", .n = 3},
  END};
static const lim_table plane_table = {"plane", "A plane that the arm can touch.", sizeof(lim_contact_plane), .key = plane_keys};

static const lim_key contact_keys[] = {
  {"name", &lim_own_name, AT(lim_contact, head.name), "name of the channels name.force and name.depth", .words = "base|tip", .need = "*"},
  {"frame", &lim_in_arm, AT(lim_contact, frame), "centre of the sphere", .need = "*"},
  {"radius", &lim_number, AT(lim_contact, radius), "of the sphere", .unit = "m", .range = ">= 0", .preset = "0"},
  {"plane", &lim_record, AT(lim_contact, plane), "what it touches", .table = &plane_table, .need = "*"},
  {"stiffness", &lim_number, AT(lim_contact, stiffness), "force per depth", .unit = "N/m", .range = "> 0", .need = "*"},
  {"damping", &lim_number, AT(lim_contact, damping), "c of the force stiffness x depth x (1 + c x its rate) of Hunt and Crossley", .unit = "s/m", .range = ">= 0", .preset = "0"},
  {"friction", &lim_number, AT(lim_contact, friction), "Coulomb's coefficient; what is at rest sticks", .unit = "", .range = ">= 0", .preset = "0"},
  END};
static const lim_table contact_table = {"contact", "A sphere about a frame that touches a plane.", sizeof(lim_contact), .key = contact_keys};

static const lim_key load_keys[] = {
  {"name", &lim_own_name, AT(lim_load, head.name), "name"},
  {"at", &lim_in_arm, AT(lim_load, at), "frame on which it acts"},
  {"nodes", &lim_reference, AT(lim_load, nodes), "link.SET of a link from finite elements, instead of at: nodes that share the force equally"},
  {"along", &lim_reference, AT(lim_load, along), "link along which it acts, per length, instead of at"},
  {"force", &lim_vector, AT(lim_load, force), "force (along: per length)", .unit = "N|N/m", .preset = "[0, 0, 0]", .n = 3},
  {"moment", &lim_vector, AT(lim_load, moment), "moment", .unit = "N m", .preset = "[0, 0, 0]", .n = 3},
  {"axes", &lim_words, AT(lim_load, axes), "axes in which it is written; link: it follows the link", .words = "world|link", .preset = "world"},
  {"factor", &lim_in_time_or_block, AT(lim_load, factor), "scales it in time, or {block: name}", .unit = "", .table = &lim_in_time_table},
  {"from", &lim_number, AT(lim_load, from), "time at which it begins", .unit = "s", .range = ">= 0", .preset = "0"},
  {"to", &lim_number, AT(lim_load, to), "time at which it ends (default: never)", .unit = "s", .range = "> 0"},
  END};
static const lim_table load_table = {"load", "A force or moment on the arm.", sizeof(lim_load), .key = load_keys};

static const lim_key solver_keys[] = {
  {"mode", &lim_words, AT(lim_solver, mode), "which dynamics", .words = "nonlinear|linear|quasi-static|rigid|conventional", .preset = "nonlinear"},
  {"method", &lim_words, AT(lim_solver, method), "how it is integrated", .kinds = lim_method_row, .preset = "generalized-alpha"},
  {"duration", &lim_number, AT(lim_solver, duration), "simulated time", .unit = "s", .range = "> 0"},
  {"step", &lim_number_or_word, AT(lim_solver, step), "time step; auto: implicit methods choose their steps by the tolerance", .unit = "s", .range = "> 0", .words = "auto", .preset = "1 ms"},
  {"tolerance", &lim_number, AT(lim_solver, tolerance), "of the last Newton correction (default: by the step's error), or rtol (1e-10); step: auto: of a step (1e-5)", .unit = "", .range = "1e-15..0.1"},
  {"criterion", &lim_words, AT(lim_solver, criterion), "what the tolerance of implicit methods is about: the last correction, or its energy", .words = "correction|energy", .preset = "correction"},
  {"start", &lim_words, AT(lim_solver, start), "shape of the links at the start", .words = "undeformed|equilibrium", .preset = "undeformed"},
  {"stiffening", &lim_words, AT(lim_solver, stiffening), "geometric stiffening: bending shortens the axis, on which axial forces act; off: to first order", .words = "off|on", .preset = "on"},
  {"geometry", &lim_words, AT(lim_solver, geometry), "of `static`: equilibrium of the deformed arm, or to first order in the loads about the undeformed one", .words = "nonlinear|linear", .preset = "nonlinear"},
  {"release", &lim_names, AT(lim_solver, release), "joints without a position drive that rest by themselves in equilibrium, or all; ball joints always do"},
  {LIM_OWN_KEYS},
  END};
static const lim_table solver_table = {"solver", "How a simulation runs.", sizeof(lim_solver), .tag = "method", .own = AT(lim_solver, own), .key = solver_keys};

static const lim_key outputs_keys[] = {
  {"every", &lim_number, AT(lim_outputs, every), "time between records (default: the step; 1 ms with step: auto)", .unit = "s", .range = "> 0"},
  {"channels", &lim_strings, AT(lim_outputs, channels), "channels that are recorded (default: a useful choice)"},
  {"frequencies", &lim_count, AT(lim_outputs, frequencies), "natural frequencies recorded along the motion", .range = "0..100", .preset = "0"},
  END};
static const lim_table outputs_table = {"outputs", "What is recorded.", sizeof(lim_outputs), .key = outputs_keys};

static const lim_key root_keys[] = {
  {"limber", &lim_count, AT(lim_model, version), "version of the format", .range = "1..1", .need = "*"},
  {"name", &lim_string, AT(lim_model, title), "what the model is called", .preset = "model"},
  {"gravity", &lim_vector, AT(lim_model, gravity), "gravity, world axes", .unit = "m/s^2", .preset = "[0, 0, -9.81]", .n = 3},
  {"planar", &lim_words, AT(lim_model, planar), "keep only motion in this plane of the world", .words = "no|xy|xz|yz", .preset = "no"},
  {"materials", &lim_named_records, AT(lim_model, materials), "materials by name", .table = &material_table},
  {"sections", &lim_named_records, AT(lim_model, sections), "cross-sections by name", .table = &section_table},
  {"links", &lim_records, AT(lim_model, links), "the links, parents before children", .table = &link_table, .need = "*"},
  {"loops", &lim_records, AT(lim_model, loops), "closures of kinematic chains", .table = &loop_table},
  {"couplings", &lim_records, AT(lim_model, couplings), "couplings of joints: gears, belts, racks, differentials", .table = &coupling_table},
  {"frames", &lim_records, AT(lim_model, frames), "named places", .table = &frame_table},
  {"tool", &lim_in_arm, AT(lim_model, tool), "the frame that default channels, settling, programs and `ik` are about (`tip`: of the last link)", .preset = "tip"},
  {"configuration", &lim_configuration, AT(lim_model, configuration), "joints at the start, by name; `deformation`: links at the start", .table = &state_table, .more = &deformation_table},
  {"drives", &lim_named_records, AT(lim_model, drives), "what moves each joint", .table = &drive_table},
  {"motion", &lim_named_records, AT(lim_model, motion), "what each joint is told to do", .table = &motion_table},
  {"blocks", &lim_records, AT(lim_model, blocks), "blocks of controllers, wired by their names", .table = &block_table},
  {"program", &lim_file, AT(lim_model, program), "robot program (Lua file)"},
  {"springs", &lim_records, AT(lim_model, springs), "springs and dampers", .table = &spring_table},
  {"bushings", &lim_records, AT(lim_model, bushings), "bushings", .table = &bushing_table},
  {"contacts", &lim_records, AT(lim_model, contacts), "spheres on the arm that touch planes", .table = &contact_table},
  {"loads", &lim_records, AT(lim_model, loads), "forces and moments", .table = &load_table},
  {"damping", &lim_record, AT(lim_model, damping), "damping of the whole arm's modes", .table = &arm_damping_table},
  {"solver", &lim_record, AT(lim_model, solver), "how a simulation runs", .table = &solver_table},
  {"outputs", &lim_record, AT(lim_model, outputs), "what is recorded", .table = &outputs_table},
  END};
const lim_table lim_root_table = {"model", "A model file.", sizeof(lim_model), .key = root_keys};

# limber simulate: the motion in time, in four modes, with its files, errors and refusals.
limber simulate models/flexible-2r.yaml --json
expect_status 0
expect_silent err
expect_json '.status == "done" and .steps == 4000 and .iterations >= .steps and .wall_s > 0'
expect_json '(.peak["tip.error.x"] / 4.89e-3 - 1 | fabs) < 0.01 and (.peak["tip.error.y"] / 5.90e-3 - 1 | fabs) < 0.01'
expect_json '(.peak["shoulder.effort"] / 3.733 - 1 | fabs) < 0.01 and .energy_balance_percent_rms < 1e-3'
expect_json '[.final, .peak, .rms | keys] | unique | length == 1'

limber simulate models/flexible-2r.yaml --json --mode quasi-static
expect_json '(.peak["tip.error.x"] / 4.33e-3 - 1 | fabs) < 0.01 and (.peak["tip.error.y"] / 5.51e-3 - 1 | fabs) < 0.01'
limber simulate models/flexible-2r.yaml --json --mode rigid
expect_json '.peak["tip.error.x"] == 0 and (.peak["shoulder.effort"] / 3.453 - 1 | fabs) < 0.01'
limber simulate models/flexible-2r.yaml --mode linear
expect_status 0
expect_out '^flexible 2R arm.*, linear: done at 4 s, 4000 steps'

# Files appear whole; the header carries names and units.
limber simulate models/flexible-2r.yaml -o "$scratch/run" --quiet
expect_status 0
expect_silent out
[ "$(ls "$scratch/run" | tr '\n' ' ')" = "channels.csv report.html result.h5 summary.json " ] || fail "files of -o"
head -n 1 "$scratch/run/channels.csv" | grep -qE '^t \[s\],tip\.position\.x \[m\],' || fail "header of channels.csv"
[ "$(wc -l <"$scratch/run/channels.csv")" -eq 4002 ] || fail "rows of channels.csv"
jq -e '.status == "done"' "$scratch/run/summary.json" >/dev/null || fail "summary.json"

# --error: every number with its error.
limber simulate models/flexible-2r.yaml --json --error --set solver.duration=0.5
expect_json '(.error.final | keys) == (.final | keys) and (.error.peak["tip.error.y"] | . > 0 and . < 1e-5)'

# Methods and the energy criterion agree.
for how in method=newmark criterion=energy method=generalized-alpha; do
  limber simulate models/strip-two-link.yaml --json --set "solver.$how"
  expect_json '(.final["tip.position.x"] - 0.556298 | fabs) < 3e-5 and (.final["tip.position.y"] + 0.089775 | fabs) < 3e-5'
done
limber simulate models/strip-two-link.yaml --json --set solver.method=rk4 --set solver.step=1e-4 --set 'links.upper.basis={type: modes, count: 3}' --set 'links.fore.basis={type: modes, count: 3}'
expect_json '(.final["tip.position.x"] - 0.556298 | fabs) < 3e-5'

# It starts at rest in equilibrium and stays there.
limber simulate models/servo.yaml --json --set solver.duration=0.2 --set solver.start=equilibrium
expect_json '.peak["energy.kinetic"] < 1e-20'

# A motion shorter than a step is hit by step boundaries.
limber simulate models/flexible-2r.yaml --json --set solver.step=0.2 --set motion.shoulder.duration=0.11 --set motion.elbow.duration=0.11 --set solver.duration=0.4 --mode rigid
expect_status 0
expect_json '(.final["tip.position.y"] - 1.7320508 | fabs) < 1e-6'

# What is wrong is said, with its status, and nothing is half written.
limber simulate models/strip-two-link.yaml -o "$scratch/bad" --set solver.method=rk4
expect_status 1
expect_err 'too large for rk4'
[ -f "$scratch/bad/summary.json" ] || fail "what was computed before the failure is kept"
jq -e '.status == "failed"' "$scratch/bad/summary.json" >/dev/null || fail "status of a failed run"
limber simulate models/flexible-2r.yaml --set solver.tolerance=1e-15 --set solver.duration=0.1 --set solver.step=1e-4
expect_status 0 # as far as rounding lets it, by shorter steps
limber simulate models/flexible-2r.yaml --json --set solver.tolerance=1e-15 --set solver.duration=0.1 --set solver.step=1e-4
tight=$(jq '.final["tip.error.y"]' "$scratch/out")
limber simulate models/flexible-2r.yaml --json --set solver.duration=0.1 --set solver.step=1e-4
expect_json "(.final[\"tip.error.y\"] / $tight - 1 | fabs) < 1e-5"
limber simulate models/flexible-2r.yaml --set solver.step=9
expect_status 2
expect_err 'step is longer than the duration'
limber simulate models/cantilever.yaml
expect_status 2
expect_err 'duration is missing'
cat >"$scratch/massless.yaml" <<'YAML'
limber: 1
links:
  - {name: ghost, joint: {name: hinge}}
drives: {hinge: {type: effort, effort: 1}}
solver: {duration: 1}
YAML
limber simulate "$scratch/massless.yaml"
expect_status 1
expect_err "'hinge' moves without mass"
limber simulate models/flexible-2r.yaml -o "$scratch/none" --set 'outputs.channels=[tip.positon.x, nothing]'
expect_status 2
expect_err "channel 'tip.positon.x' does not exist; did you mean 'tip.position.x'\?"
[ ! -e "$scratch/none" ] || fail "a refused run leaves no folder"
limber simulate models/flexible-2r.yaml --mode fast
expect_status 2
expect_err "mode is 'fast', must be"
touch "$scratch/file"
limber simulate models/flexible-2r.yaml -o "$scratch/file"
expect_status 3
expect_silent out
limber simulate models/flexible-2r.yaml --set program=pick.lua
expect_status 2
expect_err 'a model has motions or a program, not both'

# Finite differences: one link in steps that are stable; else the largest one is named.
limber simulate models/aluminium-manipulator.yaml --json --set solver.hub=printed
expect_status 0
expect_json '.final["tip.position.y"] | . > 0.1770745 and . < 0.1770747'
limber simulate models/aluminium-manipulator.yaml --set solver.step=0.3e-3
expect_status 1
expect_err 'stable up to 0.0002675 s'
limber simulate models/flexible-2r.yaml --set solver.method=finite-difference
expect_status 2
expect_err 'flexible-2r.yaml:[0-9]+:[0-9]+: error: method: finite-difference treats one link'

# Ctrl-C: the run ends, and what it has is readable. Meanwhile no other run writes into its folder.
"$program" simulate models/flexible-2r.yaml --set solver.duration=1000 -o "$scratch/stopped" --quiet >/dev/null 2>&1 &
pid=$!
until [ -f "$scratch/stopped/channels.csv.part" ]; do sleep 0.1; done
limber simulate models/flexible-2r.yaml -o "$scratch/stopped" --set solver.duration=0.01
expect_status 3
expect_err 'another run is writing here'
kill -INT "$pid"
stopped=0
wait "$pid" || stopped=$?
[ "$stopped" -eq 1 ] || fail "status of an interrupted run is $stopped, expected 1"
jq -e '.status == "interrupted" and .steps > 0' "$scratch/stopped/summary.json" >/dev/null || fail "interrupted run"

# A strip that spins far above its frequency holds itself straight; without stiffening it is warned of, or stopped, where segments are too few.
limber simulate tests/models/spin.yaml --json
expect_status 0
expect_silent err
expect_json '(.final["tip.error.x"] | fabs) < 0.01 and .energy_balance_percent_rms < 1e-4'
limber simulate tests/models/spin.yaml --json --set links.a.beam.segments=1
expect_status 0
expect_json '(.final["tip.error.x"] | fabs) < 0.01 and .energy_balance_percent_rms < 1e-4'
expect_err "link 'a' bends by 23 % of its length"
limber simulate tests/models/spin.yaml --set solver.stiffening=off
expect_status 0
expect_out "axial forces stiffen or soften link 'a' .* or 1[0-9] segments"
limber simulate tests/models/spin.yaml --set solver.stiffening=off --set links.a.beam.segments=1
expect_status 1
expect_err "link 'a' bends by more than ten times its length"
limber simulate models/flexible-2r.yaml --set solver.step=1e-12
expect_status 2
expect_err 'more than 1e9 steps'

# Natural frequencies along the motion.
limber simulate models/flexible-2r.yaml --json --set outputs.frequencies=2 --set outputs.every=0.5
expect_json '(.peak["frequency.1"] > 3.8 and .final["frequency.1"] > 4.2 and .final["frequency.2"] > 10)'

# In every mode a joint's effort is its reaction about its axis.
for mode in nonlinear linear quasi-static rigid; do
  limber simulate models/flexible-2r.yaml --json --mode $mode --set 'outputs.channels=[shoulder.effort, shoulder.moment.z]'
  expect_json '(.rms["shoulder.moment.z"] / .rms["shoulder.effort"] - 1 | fabs) < 1e-9'
done

# A joint that stays where it is does not keep the others from converging.
cat >"$scratch/still.yaml" <<'YAML'
limber: 1
gravity: [0, 0, 0]
planar: xy
materials: {m: {E: 70 GPa, rho: 2700}}
sections: {s: {shape: rectangle, y: 8 mm, z: 40 mm}}
links:
  - {name: slide, joint: {type: prismatic, axis: [0, 1, 0]}}
  - {name: a, beam: {length: 1, section: s, material: m, elements: 4}, basis: rigid}
loads: [{along: a, force: [0, 5, 0], from: 0.0203}]
solver: {duration: 0.05, step: 1 ms}
YAML
limber simulate "$scratch/still.yaml" --json
expect_status 0
expect_json '(.final["tip.position.y"] / (5 * 0.0297 * 0.0297 / 2 / (2700 * 0.00032)) - 1 | fabs) < 1e-6'

# Reactions of a held joint are those of all modes: a spring that pulls in the rigid posture counts once.
cat >"$scratch/pulled.yaml" <<'MODEL'
limber: 1
gravity: [0, 0, 0]
materials: {al: {E: 70e9, nu: 0.33, rho: 2700}}
sections: {s: {shape: rectangle, y: 0.02, z: 0.05}}
links: [{name: a, beam: {length: 0.8, section: s, material: al, elements: 4}, damping: {ratio: 0.3}}]
frames: [{name: g, on: base, xyz: [0.8, -0.3, 0]}]
springs: [{name: s, between: [a.tip, g], stiffness: 1000, length: 0.25}]
motion: {a: {profile: constant, value: 0}}
solver: {duration: 0.4, step: 1e-3}
outputs: {channels: [a.effort, a.moment, a.force, s.force]}
MODEL
for mode in nonlinear linear conventional quasi-static; do
  limber simulate "$scratch/pulled.yaml" --mode $mode --json
  expect_status 0
  expect_json '(.final["a.moment.z"] - .final["a.effort"] | fabs) < 1e-6 * .final["a.effort"] and (.final["a.force.y"] - .final["s.force"] | fabs) < 0.01 * .final["s.force"]'
done

# A method with steps of its own is told of its tolerance; the effort of a slide in the linear modes is told of.
limber simulate models/rp.yaml --mode quasi-static --set solver.duration=0.01 --json
expect_json '[.warnings[].text | contains("force of the bent beam at its guide")] | any'

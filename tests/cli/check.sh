# limber check: what is in a model, in words and as JSON.
limber check models/cantilever.yaml
expect_status 0
expect_out '^models/cantilever\.yaml: cantilever with a payload$'
expect_out '^valid: 1 link, 0\.8184 kg, 61 degrees of freedom \(1 of joints, 60 elastic\)$'
expect_out '^  arm   base  shoulder  revolute  full +600 mm  0\.8184 kg +60  18\.28, '

limber check models/cantilever.yaml --json
expect_json '.name == "cantilever with a payload" and .links == 1 and .joints == 1'
expect_json '.dof == 61 and .joint_dof == 1 and .elastic_dof == 60'
expect_json '(.mass - 0.8184 | fabs) < 1e-12 and .link.arm.mass == .mass'
expect_json '.link.arm.joint == "shoulder" and .link.arm.type == "revolute" and (.link.arm.frequencies_hz | length) == 3'

# Arms of several links are checked, too.
cat >"$scratch/arm.yaml" <<'MODEL'
limber: 1
links:
  - name: slide
    joint: {type: prismatic, axis: [1, 0, 0]}
    body: {mass: 2}
  - name: eye
    joint: {type: fixed}
MODEL
limber check "$scratch/arm.yaml"
expect_status 0
expect_out '^valid: 2 links, 2 kg, 1 degree of freedom \(1 of joints, 0 elastic\)$'
expect_out 'eye +slide +eye +fixed +massless'

# Overrides reach everything, and their mistakes are those of the model.
limber check models/cantilever.yaml --json --set links.arm.beam.length='1.2 m' --set 'links.arm.masses.payload.mass=0'
expect_status 0
expect_json '(.mass - 2700 * 1.2 * 0.04 * 0.008 | fabs) < 1e-12'
limber check models/cantilever.yaml --set links.arm.beam.length=-1
expect_status 2
expect_silent out
expect_err 'links\.arm\.beam\.length.*error: .*-1'
limber check models/cantilever.yaml --set links.arm.beam.lenght=1
expect_status 2
expect_err "did you mean 'length'"
limber check models/cantilever.yaml --set links.arm
expect_status 2
expect_silent out
expect_err .

# All errors of a file at once, each with its place.
cat >"$scratch/wrong.yaml" <<'MODEL'
limber: 1
gravity: [0, -9.81]
materials: {steel: {E: 207 GPa, rho: 7850 mm}}
links:
  - name: arm
    joint: {type: revolut}
    body: {mass: -1}
MODEL
limber check "$scratch/wrong.yaml"
expect_status 2
expect_silent out
for place in 2:10 3:38 6:19 7:18; do expect_err "wrong\\.yaml:$place: error: "; done
[ "$(wc -l <"$scratch/err")" -eq 4 ] || fail "not four errors"
limber check models/flexible-2r.yaml --set "outputs.channels=[tip.positon]"
expect_status 2
expect_err "did you mean .tip.position"

# Tables: what was read is said, degrees without a unit are doubted, and a file that is missing is no valid model.
cat >"$scratch/table.yaml" <<'MODEL'
limber: 1
links: [{name: a, body: {mass: 3, com: [0.5, 0, 0], inertia: [1, 1, 0.1]}}]
motion: {a: {profile: table, file: move.csv}}
solver: {duration: 1, step: 10 ms}
MODEL
printf 't, position\n0, 0\n1, 90\n' >"$scratch/move.csv"
limber check "$scratch/table.yaml"
expect_status 0
expect_out "table move\.csv \(motion 'a'\): 2 rows of 2 columns, .* the second from 0 to 90, in SI and radians"
expect_out "warning: motion 'a': table 'move\.csv' runs from 0 to 90, which is read as rad"
printf 't [ms], position [deg]\n0, 0\n1000, 90\n' >"$scratch/move.csv"
limber check "$scratch/table.yaml" --json
expect_json '.warnings == [] and .tables[0].unit == "deg" and .tables[0].over == [0, 1] and (.tables[0].range[1] - 1.5707963 | fabs) < 1e-6'
begins="motion 'a': its table begins at 0 rad, but the configuration has the joint at 0.2 rad: 'ik' takes the configuration, all that moves or rests the table"
for command in check static modes simulate; do
  limber $command "$scratch/table.yaml" --json --set configuration.a=0.2
  expect_json "[.warnings[].text | select(startswith(\"motion 'a': its table\"))] == [\"$begins\"]"
done
printf 't, position [mm]\n0, 0\n1, 90\n' >"$scratch/move.csv"
limber check "$scratch/table.yaml"
expect_status 2
expect_err 'move\.csv:1: error: column 2 is in mm, must be in rad'
rm "$scratch/move.csv"
limber check "$scratch/table.yaml"
expect_status 3
expect_err "table\.yaml:3:36: error: motion 'a': file '.*move\.csv' cannot be read: No such file"

# A table that ends at speed after the run is none of its business.
printf 't, p, v, a\n0, 0, 0, 0\n2, 1, 1, 0\n' >"$scratch/move.csv"
limber simulate "$scratch/table.yaml"
expect_status 0
limber simulate "$scratch/table.yaml" --set solver.duration=3
expect_status 2
expect_err "motion 'a': the speed jumps at 2 s"

# A configuration beyond the limits of its joint is warned of, with joint and value.
cat >"$scratch/limits.yaml" <<'MODEL'
limber: 1
links: [{name: a, joint: {name: j1, limits: {position: [-1, 1]}}, body: {mass: 3, com: [0.5, 0, 0], inertia: [1, 1, 0.1]}}]
configuration: {j1: 2}
MODEL
limber check "$scratch/limits.yaml" --json
expect_status 0
expect_json '.warnings | length == 1 and .[0].place == "j1" and .[0].time == 0 and (.[0].text | contains("upper position limit of 1 rad: it comes to 2 rad"))'

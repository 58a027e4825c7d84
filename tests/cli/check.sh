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

# Joints on rails and loops of type rail in each command: what they answer, what they refuse, what they warn of.
cat >"$scratch/gantry.yaml" <<'END'
limber: 1
materials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}
sections: {s: {shape: box, y: 80 mm, z: 100 mm, wall: 4 mm}}
links:
  - {name: one, parent: base, joint: {type: fixed}, beam: {length: 4 m, section: s, material: m, elements: 4}}
  - {name: two, parent: base, joint: {type: fixed, origin: {xyz: [0, 2, 0]}}, beam: {length: 4 m, section: s, material: m, elements: 4}}
  - name: bridge
    parent: one
    joint: {name: travel, type: prismatic, rail: beam, origin: {rpy: [0, 0, 90 deg]}}
    beam: {length: 2 m, section: s, material: m, elements: 4}
  - {name: trolley, joint: {name: cross, type: prismatic, rail: beam}, body: {mass: 20}}
frames: [{name: end1, on: base, xyz: [4, 0, 0]}, {name: end2, on: base, xyz: [4, 2, 0]}]
loops:
  - {name: support1, type: spherical, between: [one.tip, end1]}
  - {name: support2, type: spherical, between: [two.tip, end2]}
  - {name: shoe, type: rail, between: [bridge.tip, two]}
configuration: {travel: 1, cross: 0.5}
motion: {travel: {profile: cycloidal, from: 1, to: 3, duration: 0.5}, cross: {profile: cycloidal, from: 0.5, to: 1.5, duration: 0.5}}
solver: {duration: 0.5, step: 2 ms, start: equilibrium}
outputs: {channels: [trolley.base.position, trolley.base.error, travel.force, shoe.force, travel.effort, energy]}
END
arm=$scratch/gantry.yaml

limber check "$arm" --json
expect_status 0
expect_json '.warnings == [] and .elastic_dof == 72'

# both rails share the weight
limber static "$arm" --json
expect_status 0
expect_json '.joints.one.force[2] + .joints.two.force[2] > 0 and .frames["bridge.tip"].displacement[2] < 0 and .frames["trolley.base"].displacement[2] < .frames["bridge.tip"].displacement[2]'

for mode in nonlinear linear quasi-static; do
  limber simulate "$arm" --mode $mode --json
  expect_status 0
  expect_json '(.final["trolley.base.position.x"] - 3 | fabs) < 2e-3 and .peak["trolley.base.error.z"] > 1e-4 and .peak["shoe.force.z"] > 50'
done
limber simulate "$arm" --mode rigid --json
expect_status 0
expect_json '.peak["trolley.base.error.z"] == 0 and .status == "done"'
limber inverse "$arm" --json
expect_status 0
expect_json '.joints.travel.effort | length > 100'
limber ik "$arm" --position 2,1,0 --json
expect_status 0

# off the rail
limber simulate "$arm" --set motion.travel.to=4.5
expect_status 1
expect_err 'at t = 0\.[0-9]+ s .* leaves its? ?(rail)? ?there'
limber static "$arm" --set configuration.travel=4.5 --set motion.travel=null
expect_status 2
expect_err "joint 'travel' begins at 4.5 m, off its rail, which goes from 0 to 4 m"
limber check "$arm" --set 'motion.travel.to=4.5' --json
expect_status 0
expect_json '.warnings | any(.place == "travel" and (.text | test("exceeds its upper position limit of 4 m")))'

# what a reduced basis leaves out
limber check "$arm" --set 'links.one.basis={type: craig-bampton, count: 0}' --json
expect_status 0
expect_json '.warnings | any(.place == "one" and (.text | test("is a rail, and its basis leaves out deflection along [yz]")))'

# what cannot be done
limber generate "$arm" -o "$scratch/code"
expect_status 2
expect_err "link 'bridge' runs along a beam that bends, for which no code is generated"
limber modes "$arm" --set 'configuration.travel={position: 1, velocity: 1}' --set motion.travel=null
expect_status 2
expect_err "joint 'travel' moves along its rail"
limber simulate "$arm" --set solver.method=modal-newmark
expect_status 2
expect_err "link 'bridge' runs along a beam that bends, which modal-newmark cannot treat"
limber simulate "$arm" --set loops=[] --mode conventional
expect_status 2
expect_err "which mode conventional cannot treat"

# Rigid rails bind no joint: controllers know the weight on them. Loops that bind joints are refused.
known() { # model joint
  limber simulate "$1" --json --set "drives.$2={type: motor, motor: {rotor_inertia: 1e-4, ratio: 20}, control: {type: pd-gravity, bandwidth: 20 rad/s}}"
}
known "$arm" travel
expect_status 0
expect_json '.status == "done"'
known models/five-bar.yaml left
expect_status 2
expect_err "what the arm with rigid links needs .* is not known for closed chains and couplings"

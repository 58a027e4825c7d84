# Contacts and end stops on the command line: what runs refuse, what they warn of, and that a push between two records is not
# passed over.
cat >"$scratch/pushed.yaml" <<'END'
limber: 1
gravity: [0, 0, -9.81]
links:
  - {name: b, joint: {name: x, type: planar, axis: [0, 1, 0]}, body: {mass: 2, inertia: [1, 1, 1]}}
drives: {x.turn: {type: prescribed}}
contacts: [{name: f, frame: b.base, plane: {}, stiffness: 1e5, friction: 0.2, damping: 0.5}]
loads: [{at: b.base, force: [5, 0, 0], factor: {profile: harmonic, amplitude: 1, frequency: 20 Hz}}]
solver: {duration: 0.5, start: equilibrium, release: [x.x, x.y]}
outputs: {every: 1 ms, channels: [b.base.position.x, energy.dissipated]}
END
arm=$scratch/pushed.yaml

for method in cvode ida; do
  for every in 1e-3 0.05 0.5; do
    limber simulate "$arm" --set solver.method=$method --set outputs.every=$every --json
    expect_status 0
    jq '.final["energy.dissipated"]' "$scratch/out" >>"$scratch/lost"
  done
done
sort -g "$scratch/lost" | awk 'NR == 1 { low = $1 } { high = $1 } END { exit !(NR == 6 && low > 1e-3 && high < (1 + 1e-6) * low) }' ||
  fail "what friction takes depends on the records: $(tr '\n' ' ' <"$scratch/lost")"

limber simulate "$arm" --set solver.step=auto
expect_status 2
expect_err "contact 'f' has friction: step: auto would pass over moments at which it gives way"
limber generate "$arm" -o "$scratch/code"
expect_status 2
expect_err "'f' is a contact, for which no code is generated"
limber simulate "$arm" --mode linear
expect_status 2
expect_err "contact 'f' opens and closes, which is not linear"

# pressed before anything moves
limber check "$arm" --set solver.start=undeformed --set 'configuration={x: {y: 0.01}}' --json
expect_status 0
expect_json '.warnings | any(.place == "f" and (.text | test("begins 0.01 m inside its plane, which pushes it out with 1000 N")))'
cat >"$scratch/stop.yaml" <<'END'
limber: 1
gravity: [0, 0, 0]
links: [{name: a, joint: {limits: {position: [-0.5, 0.5], stop: {stiffness: 1000}}}, body: {mass: 1, inertia: [0, 0, 1]}}]
configuration: {a: 0.6}
solver: {duration: 0.1, step: 1 ms}
END
limber simulate "$scratch/stop.yaml" --json
expect_status 0
expect_json '.warnings | any(.place == "a" and (.text | test("begins 0.1 rad beyond its upper stop, which pushes it back with 100 N m")))'

# an arm pressed on a plate slides in the limit of friction, or sticks
cat >"$scratch/press.yaml" <<'END'
limber: 1
gravity: [0, -9.81, 0]
planar: xy
materials: {al: {E: 70 GPa, nu: 0.33, rho: 2700}}
sections: {s: {shape: rectangle, y: 8 mm, z: 40 mm}}
links: [{name: arm, joint: {name: j, type: fixed}, beam: {length: 0.6, section: s, material: al}}]
contacts: [{name: f, frame: tip, plane: {normal: [0, 1, 0]}, stiffness: 2e4, friction: 0.3}]
loads: [{at: tip, force: [0, -30, 0]}]
END
for friction in 0.05 0.3 0.45; do
  limber static "$scratch/press.yaml" --set contacts.f.friction=$friction --json
  expect_status 0
  expect_json ".contacts.f | .state == \"slides\" and (.force[0] / .force[1] + $friction | fabs) < 1e-9 and (.force[1] - 29.46 | fabs) < 0.02"
done
limber static "$scratch/press.yaml" --set contacts.f.friction=0.6 --json
expect_status 0
expect_json '.contacts.f.state == "sticks"'

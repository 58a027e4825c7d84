# What is written and has no effect is told, or refused.

arm=$scratch/arm.yaml
cat >"$arm" <<END
limber: 1
gravity: [0, -9.81, 0]
planar: xy
materials: {alu: {E: 70 GPa, rho: 2700, yield: 200 MPa}}
sections: {strip: {shape: rectangle, y: 5 mm, z: 40 mm}}
links: [{name: arm, joint: {name: j}, beam: {length: 1 m, section: strip, material: alu}, basis: {type: modes, count: 2}}]
motion: {j: {profile: cycloidal, to: 3 deg, duration: 0.02 s}}
solver: {duration: 0.02 s, step: 1 ms}
END

sets() { # words: into --set options
  options=()
  for word in "$@"; do options+=(--set "$word"); done
}
told() { # part of a warning, command, entries of the solver...
  local part=$1 question=$2
  shift 2
  sets "$@"
  limber "$question" "$arm" "${options[@]}" --json
  expect_status 0
  expect_json ".warnings | any(.text | contains(\"$part\"))"
}
not_told() { # part of a warning, command, entries...
  local part=$1 question=$2
  shift 2
  sets "$@"
  limber "$question" "$arm" "${options[@]}" --json
  expect_status 0
  expect_json ".warnings | any(.text | contains(\"$part\")) | not"
}

# --- keys of the solver, by method and mode

for question in check simulate; do
  told 'tolerance has no effect: rk4' $question solver.method=rk4 solver.tolerance=1e-8
  for method in rk4 cvode ida; do
    told 'criterion has no effect' $question solver.method=$method solver.criterion=energy
    told 'method has no effect on the links' $question solver.method=$method solver.mode=quasi-static
  done
  told 'start has no effect: mode quasi-static' $question solver.mode=quasi-static solver.start=equilibrium
  not_told 'no effect' $question solver.mode=quasi-static solver.start=undeformed solver.tolerance=1e-9 solver.method=newmark
  not_told 'no effect' $question solver.method=cvode solver.tolerance=1e-9
  not_told 'no effect' $question solver.method=newmark solver.criterion=energy solver.tolerance=1e-9 solver.start=equilibrium
  not_told 'no effect' $question solver.method=modal-newmark solver.criterion=energy
done
told 'geometry has no effect on a simulation' simulate solver.geometry=linear
not_told 'geometry has no effect' static solver.geometry=linear
not_told 'geometry has no effect' simulate solver.geometry=nonlinear
for method in cvode ida; do
  told "step has no effect: $method" simulate solver.method=$method 'outputs={every: 5 ms}'
  not_told 'step has no effect' simulate solver.method=$method # records follow it
done
not_told 'step has no effect' simulate 'outputs={every: 5 ms}'
for key in rho_inf=0.5 'newmark={beta: 0.3}' intervals=3 modes=3 hub=printed; do # of one method alone: refused
  limber simulate "$arm" --set "solver.$key" --set solver.method=rk4
  expect_status 2
  expect_err "'${key%%=*}'"
done

# --- methods of small motions are not nonlinear

limber simulate "$arm" --set solver.method=modal-newmark --mode nonlinear
expect_status 2
expect_err_text '--set solver.mode: error: solver: mode is nonlinear, but modal-newmark gives small motions: mode linear'
limber simulate "$arm" --set solver.method=modal-newmark --mode linear
expect_status 0
limber simulate models/aluminium-manipulator.yaml --mode nonlinear
expect_status 2
expect_err_text 'mode is nonlinear, but finite-difference gives small motions: mode linear'

# --- finite differences have a grid of their own

fd() { limber simulate models/aluminium-manipulator.yaml --set solver.duration='5 ms' --json "$@"; }
fd
expect_json '.warnings | any(.text | contains("no effect")) | not'
for key in element=timoshenko mass=lumped rotary=on; do
  fd --set "links.arm.beam.$key"
  expect_json ".warnings | any(.place == \"arm\" and (.text | contains(\"link 'arm': ${key%=*} has no effect\")))"
done
for entry in solver.tolerance=1e-9 solver.criterion=energy solver.stiffening=on solver.start=equilibrium; do
  fd --set $entry
  expect_json ".warnings | any(.text | contains(\"$(cut -d. -f2 <<<"${entry%=*}") has no effect\"))"
done

# --- inertia, inverse, ik

limber inertia "$arm" --along 3 --at 0.01
expect_status 2
expect_err 'give one of them'
limber inverse "$arm" --set solver.method=modal-newmark --set solver.duration=1000 --set solver.step=1e-5 # refused before it runs
expect_status 2
expect_silent out
expect_err_text '--set solver.method: error: solver: inverse needs another method than modal-newmark'

motor='drives.j={type: motor, motor: {ratio: 10, rotor_inertia: 1e-5, torque_limit: 0.4 N m'
limber inverse "$arm" --set "$motor}}" --json
expect_json '(.joints.j.motor_peak > 0.4) and (.warnings | any(.place == "j" and .time > 0 and (.text | contains("needs more than its motor can give"))))'
# the first time is that of the first record above the limit, the value the largest one
expect_json '. as $a | [range(.time | length) | select((($a.joints.j.motor_torque[.]) | fabs) > 0.4)][0] as $k | .warnings[] | select(.place == "j" and (.text | contains("motor can give"))) | ((.time - $a.time[$k]) | fabs) < 1e-12'
limber inverse "$arm" --set "${motor/0.4 N m/40 N m}}}" --json
expect_json '.warnings | any(.text | contains("motor")) | not'
# 40 N m at rest, but less and less with speed
limber inverse "$arm" --set "${motor/0.4 N m/40 N m}, no_load_speed: 20}}" --json
expect_json '.warnings | any(.text | contains("needs more than its motor can give"))'

thin=(--set sections.strip.y='1.3 mm')
bends="bends by 0.45 rad within one segment: give its beam more 'segments'"
limber static "$arm" "${thin[@]}" --json
expect_json ".warnings | any(.text | contains(\"$bends\"))"
limber ik "$arm" --deformed "${thin[@]}" --json
expect_json ".warnings | any(.text | contains(\"$bends\"))"
limber inertia "$arm" --set solver.start=equilibrium --along 3 "${thin[@]}" --json
expect_json ".warnings | map(select(.text | contains(\"within one segment\"))) | length == 1"
limber ik "$arm" "${thin[@]}" --json # undeformed
expect_json '.warnings | length == 0'

# --- stresses below the yield strength

limber static "$arm"
expect_out 'largest stress in arm: .*Pa \(von Mises\), 0\.[0-9]+ of its yield strength'
limber simulate "$arm"
expect_out 'largest stress in arm: 0\.[0-9]+ of its yield strength'

# --- energy

limber simulate "$arm" --set gravity='[0, 0, 0]' --set motion=null --set 'drives.j={type: prescribed}'
expect_status 0
expect_out 'energy balance: nothing to balance, the energy is 0 throughout'
limber simulate "$arm" --mode quasi-static
expect_out 'energy balance: none in this mode'

# --- generate --keep

limber generate "$arm" -o "$scratch/code" --keep materials.alu.E --keep materials.alu.E
expect_status 2
expect_err_text "limber: error: --keep names 'materials.alu.E' twice"

# --- words for on and off

for word in true True yes on; do
  sets solver.stiffening=$word links.arm.beam.rotary=$word
  limber check "$arm" "${options[@]}"
  expect_status 0
done
for word in false no NO off; do
  sets solver.stiffening=$word links.arm.beam.rotary=$word planar=$word
  limber check "$arm" "${options[@]}"
  expect_status 0
done
limber check "$arm" --set 'links.arm.beam.rotary="false"' # a text
expect_status 2

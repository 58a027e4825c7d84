# A link split into segments does all that a plain one does, and says the same: gauges, section forces, masses, frames and springs
# between its ends, a motor with an elastic gear on its tip, a closed chain, damping; in each analysis. Deflections are small here, so
# that what is left of a difference is of second order in them.
cat >"$scratch/arm.yaml" <<'END'
limber: 1
gravity: [0, -9.81, 0]
planar: xy
materials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}
sections: {s: {shape: rectangle, y: 20 mm, z: 30 mm}}
links:
  - name: upper
    beam: {length: 0.6, section: s, material: m, elements: 12}
    damping: {ratio: 0.02}
    masses: [{name: ring, at: 0.35, mass: 0.5, inertia: [0, 0, 1e-3]}]
    gauges: [{name: root, at: 0.05, face: +y}, {name: middle, at: 0.55, face: -y}]
  - name: fore
    joint: {name: elbow}
    beam: {length: 0.5, section: s, material: m, elements: 12}
    damping: {mass: 0.5, stiffness: 1e-5}
    masses: [{at: tip, mass: 0.3}]
frames: [{name: eye, on: upper, at: 0.6, xyz: [0, 0.02, 0]}]
springs: [{name: tendon, between: [eye, base], stiffness: 500, damping: 2, length: 0.3}]
loads: [{along: upper, force: [0, -3, 0]}, {at: fore.tip, force: [2, 0, 0], axes: link, to: 0.2}]
drives:
  elbow:
    type: motor
    motor: {mass: 0.8, rotor_inertia: 1e-5, stator_inertia: 2e-4, ratio: 50}
    gear: {stiffness: 3000, damping: 0.5}
    control: {type: pd, kp: 4, kv: 0.05}
configuration: {upper: 20 deg, elbow: -50 deg}
motion:
  upper: {profile: cycloidal, from: 20 deg, to: 50 deg, duration: 0.5}
  elbow: {profile: cycloidal, from: -50 deg, to: 0, duration: 0.5}
solver: {duration: 0.6, step: 2 ms, start: equilibrium}
outputs:
  frequencies: 3
  every: 6 ms
  channels: [tip.position, tip.velocity, tip.error, eye.position, upper.tip.rotation, elbow.effort, elbow.motor_position, elbow.force, elbow.moment,
    upper.effort, upper.moment, upper.deflection.y, fore.deflection.y, upper.root, upper.middle, upper.section.0.3.moment.z,
    upper.section.0.8.force.y, fore.section.0.25.force.y, fore.section.0.25.moment.z, tendon, energy]
END

# same NAME TOLERANCE: every number of two answers of `simulate` at its end, at its peak and in the mean, over the peak; $scratch/plain.json, $scratch/split.json
same() {
  jq -rn --slurpfile a "$scratch/plain.json" --slurpfile b "$scratch/split.json" --argjson tolerance "$2" '
    $a[0] as $a | $b[0] as $b | $a.peak | keys[] | select(. != "energy.balance") as $c |
    [$a.peak[$c], $b.peak[$c]] | max as $size | select($size > 0) |
    ["final", "peak", "rms"][] as $k | ($a[$k][$c] - $b[$k][$c] | fabs) / $size |
    select(. > $tolerance) | "\($c), \($k): off by \(.) of its peak"' >"$scratch/differences"
  [ ! -s "$scratch/differences" ] || fail "$1: $(head -n 5 "$scratch/differences")"
}

# channels that have to be there
for mode in nonlinear linear quasi-static; do
  limber simulate "$scratch/arm.yaml" --mode $mode --json
  expect_status 0
  expect_json '(.peak | length) > 45 and ([.peak[] | select(. == null)] | length) < 10'
  cp "$scratch/out" "$scratch/plain.json"
  for split in 2 3 12; do
    limber simulate "$scratch/arm.yaml" --mode $mode --json --set links.upper.beam.segments=$split --set links.fore.beam.segments=4
    expect_status 0
    cp "$scratch/out" "$scratch/split.json"
    same "$mode, $split segments" 0.002
  done
done

# static, modes, inverse, inertia
at_rest='[.frames[].position[], .frames[].displacement[], .joints[].effort, .joints[].force[], .joints[].moment[], .stress[]]'
vibration='[.frequencies_hz[0:4][], .damping_ratios[0:4][]]'
needed='[.joints[] | (.effort, .rigid_effort) | (max, min)]'
felt='[.joints[].inertia]'
for question in "static $at_rest" "modes $vibration" "inverse $needed" "inertia --at 0.25 $felt"; do
  what=${question%% [*} numbers=${question#"${question%% [*}"}
  # shellcheck disable=SC2086 # a command and its options
  limber ${what%% *} "$scratch/arm.yaml" ${what#"${what%% *}"} --json
  expect_status 0
  jq -c "$numbers" "$scratch/out" >"$scratch/plain.numbers"
  # shellcheck disable=SC2086
  limber ${what%% *} "$scratch/arm.yaml" ${what#"${what%% *}"} --json --set links.upper.beam.segments=3 --set links.fore.beam.segments=4
  expect_status 0
  jq -c "$numbers" "$scratch/out" >"$scratch/split.numbers"
  jq -en --slurpfile a "$scratch/plain.numbers" --slurpfile b "$scratch/split.numbers" '
    $a[0] as $a | $b[0] as $b | ($a | length) > 1 and ($a | length) == ($b | length) and
    ([range($a | length) | ($a[.] - $b[.] | fabs) <= 5e-3 * ($a[.] | fabs) + 1e-6] | all)' >/dev/null ||
    fail "$what: $(cat "$scratch/plain.numbers") is not $(cat "$scratch/split.numbers")"
done

# A closed chain of segmented links.
limber simulate models/parallelogram.yaml --json --set solver.duration=0.2
expect_status 0
cp "$scratch/out" "$scratch/plain.json"
limber simulate models/parallelogram.yaml --json --set solver.duration=0.2 --set links.upper.beam.segments=3 --set links.rod.beam.segments=2 --set links.fore.beam.segments=4
expect_status 0
cp "$scratch/out" "$scratch/split.json"
same "closed chain" 0.002

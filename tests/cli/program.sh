# Robot programs: what comes of them in every command, and what is said when they cannot be run.
limber check models/pick-and-place.yaml
expect_status 0
expect_out 'program pick-and-place.lua: 14 moves, 2 parts gripped'
expect_out 'pick-and-place.lua:26: a cube stands at 0.00, 0.40'

limber simulate models/pick-and-place.yaml --json --set solver.step=2e-3
expect_status 0
expect_json '.program.file == "pick-and-place.lua" and ([.program.trace[] | select(.command == "grip")] | length) == 2'
expect_json '.program.trace | map(.from) | . == sort'
expect_json '.energy_balance_percent_rms < 0.1 and .final["hip.position"] < 1e-12'
for mode in linear quasi-static rigid; do
  limber simulate models/pick-and-place.yaml --json --mode $mode --set solver.step=5e-3 --set outputs.every=0.05
  expect_status 0
  expect_json '.status == "done" and (.final["shoulder.position"] - 1.2217304763960306 | fabs) < 1e-9'
done
limber inverse models/pick-and-place.yaml --json --set solver.step=5e-3 --set outputs.every=0.05
expect_status 0
expect_json '.joints | keys == ["elbow", "hip", "shoulder"]'
limber inertia models/pick-and-place.yaml --json --along 100
expect_status 0
expect_json '.joints.elbow.inertia | (max / min) > 3' # with the part and without
for analysis in static modes; do
  limber $analysis models/pick-and-place.yaml --json
  expect_status 0
done

# Degrees for radians are doubted.
cat >"$scratch/turn.yaml" <<END
limber: 1
links: [{name: arm, joint: {name: hub}, body: {mass: 1, tip: [1, 0, 0]}}]
drives: {hub: {type: prescribed}}
program: turn.lua
solver: {duration: 1}
END
printf 'speed{joint = 90}\nmovej{hub = 20}\nmovej{hub = 90}\n' >"$scratch/turn.lua"
limber check "$scratch/turn.yaml" --json
expect_status 0
expect_json '[.warnings[].text] == ["program, line 3: movej takes joint '"'hub'"' to 90 rad, 14.3 turns; did you mean math.rad(90)?"]'

# The same program, the same motion.
cat >"$scratch/arm.yaml" <<END
limber: 1
planar: xy
links: [{name: a, body: {mass: 1, tip: [1, 0, 0]}}, {name: b, body: {mass: 1, tip: [1, 0, 0]}}]
configuration: {a: 0.4, b: 0.8}
program: arm.lua
solver: {step: 1 ms}
END
cat >"$scratch/arm.lua" <<END
for name, value in pairs{b = 0.5, a = math.random()} do movej{[name] = value} end
movel{x = 1.2, y = 1.1, blend = 0.1}
movel{x = 1}
END
limber simulate "$scratch/arm.yaml" --json
expect_status 0
jq 'del(.wall_s)' "$scratch/out" >"$scratch/first"
limber simulate "$scratch/arm.yaml" --json
jq 'del(.wall_s)' "$scratch/out" | cmp - "$scratch/first" || fail "two runs differ"
limber simulate "$scratch/arm.yaml" --json --set solver.duration=0.5
expect_json '.end == 0.5'

# The trace is in the files of a result.
limber simulate "$scratch/arm.yaml" -o "$scratch/run" --quiet
jq -e '[.program.trace[].command] == ["movej", "movej", "movel", "movel"] and .program.trace[3].line == 3' "$scratch/run/summary.json" >/dev/null || fail "trace"

# What cannot be run.
rm "$scratch/arm.lua"
limber simulate "$scratch/arm.yaml"
expect_status 3
expect_err 'arm.lua: error: cannot be read'
mkdir "$scratch/arm.lua"
limber check "$scratch/arm.yaml"
expect_status 3
rmdir "$scratch/arm.lua"
: >"$scratch/arm.lua"
limber simulate "$scratch/arm.yaml" --json # nothing to do is no error
expect_status 0
printf 'movel{x = 0.5, y = 3}' >"$scratch/arm.lua"
limber simulate "$scratch/arm.yaml" -o "$scratch/none"
expect_status 2
expect_err "arm.lua:1: error: movel: the tool cannot follow its way .* m are left to its end"
[ ! -e "$scratch/none/summary.json" ] || fail "a refused program leaves no result"

# Shaping in the model file: amplitude of the first mode, of 2.87 Hz, without it and with it.
first='([.residual.frequencies_hz, .residual.frequency_amplitudes] | transpose | map(select(.[0] < 5)) | .[0][1] // 0)'
limber simulate models/shaped-link.yaml --json --set motion.hub.shape.type=none
plain=$(jq "$first" "$scratch/out")
limber simulate models/shaped-link.yaml --json
expect_json "$first < 0.01 * $plain and $plain > 0.05 and (.residual.start - 0.798 | fabs) < 1e-3"

# limber modes: frequencies, damping ratios, shapes; how the joints are held; how many.
limber modes models/cantilever.yaml
expect_status 0
expect_out '^cantilever with a payload, joint locked, undeformed$'
expect_out '^  mode  frequency \[Hz\]  damping \[%\]  what moves most$'
expect_out '^     1           9\.964        0\.538  bending y$'
[ "$(grep -c '^ *[0-9]' "$scratch/out")" -eq 10 ] || fail "not ten modes"

# The keys of the JSON answer.
limber modes models/cantilever.yaml --json -n 6
expect_json '.joints == "locked" and .rigid_modes == 0 and .unstable_modes == 0'
expect_json '.frequencies_hz | length == 6 and . == sort'
expect_json '(.damping_ratios | length) == 6 and (.kinds | length) == 6 and (.shapes | length) == 6'
expect_json '.kinds | index("torsion") != null'
expect_json '.shapes[0].arm | length == 11 and all(length == 6) and .[0] == [0, 0, 0, 0, 0, 0]'
expect_json '.shapes[0].arm[10] | (.[1] | fabs) > 0.6'

# The joint: by its drive, or as asked.
for joints in free locked held; do
  limber modes models/servo.yaml --joints $joints --json -n 1
  expect_status 0
  expect_json ".joints == \"$joints\""
done
limber modes models/cantilever.yaml --joints=free
expect_out '^  and 1 rigid-body mode$'
limber modes models/cantilever.yaml --joints loose
expect_status 2
expect_err "loose.*must be free, locked or held"

# The number of modes.
for n in -n2 '-n 2' '--count 2' --count=2; do
  # shellcheck disable=SC2086
  limber modes models/cantilever.yaml --json $n
  expect_json '.frequencies_hz | length == 2'
done
for n in 0 -1 2.5 many 10001; do
  limber modes models/cantilever.yaml -n $n
  expect_status 2
  expect_silent out
  expect_err "'$n', must be a whole number"
done

# Nothing vibrates, or something falls.
limber modes models/cantilever.yaml --set 'links.arm.basis={type: rigid}'
expect_status 0
expect_out '^  nothing that could vibrate$'
limber modes models/hanging.yaml --set 'configuration.hook=90 deg'
expect_status 0
expect_out 'unstable modes: the arm does not stay here'

# Spin: out of the plane of rotation it stiffens, within the plane less so.
limber modes models/cantilever.yaml --json -n 2
cp "$scratch/out" "$scratch/still"
limber modes models/cantilever.yaml --json -n 2 --set 'configuration.shoulder={position: 0, velocity: 20}'
expect_json ".frequencies_hz as \$b | $(jq -c .frequencies_hz "$scratch/still") as \$a | \$b[0] > \$a[0] and \$b[1] > \$a[1]"

# Whole arms: how each joint is held, which link bends, shapes of all links.
limber modes models/flexible-2r.yaml -n 2
expect_out '^flexible 2R arm, joints locked, undeformed$'
expect_out '^ +1 +3\.807 +0\.000  upper bending y$'
limber modes models/flexible-2r.yaml --json -n 2 --joints free
expect_json '.rigid_modes == 2 and .joint == {shoulder: "free", elbow: "free"} and (.shapes[1] | keys) == ["fore", "upper"]'
limber modes models/flexible-2r.yaml --json -n 1 --set 'drives={elbow: {type: servo, stiffness: 10}}'
expect_json '.joints == "mixed" and .joint.elbow == "held" and .kinds == ["joint elbow"]'

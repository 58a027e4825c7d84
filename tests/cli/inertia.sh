# limber inertia: what each joint accelerates, at the joint and at its motor.
cat >"$scratch/arm.yaml" <<'END'
limber: 1
name: two links
links:
  - {name: rail, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 2}}
  - {name: arm, body: {mass: 3, com: [0.2, 0, 0], inertia: [1, 1, 2], tip: [0.5, 0, 0]}}
  - {name: hand, body: {mass: 1, com: [0.3, 0, 0]}}
drives:
  rail: {type: motor, motor: {ratio: 50, radius: 25 mm, rotor_inertia: 1e-4}}
  arm: {type: motor, motor: {ratio: 100, rotor_inertia: 2e-4}}
END
move="motion={hand: {profile: quintic, from: 0, to: 90 deg, duration: 1 s}}"
limber inertia "$scratch/arm.yaml"
expect_status 0
expect_silent err
expect_out '^two links, effective inertia of its joints at t = 0 s$'
expect_out '^  joint +unit +arm +rotor +ratio +at the motor +at the joint$'
expect_out '^  rail +kg +6 +0\.0001 +2000 +0\.0001015 +406$'
expect_out '^  arm +kg m\^2 +2\.76 +0\.0002 +100 +0\.000476 +4\.76$'
expect_out '^  hand +kg m\^2 +0\.09 +- +- +- +0\.09$'

# One number without a motion, one per record along it.
limber inertia "$scratch/arm.yaml" --json
expect_status 0
expect_json '.route == "mass" and .time == 0 and (.joints | keys == ["arm", "hand", "rail"])'
expect_json '.joints.arm | (.inertia - 4.76 | fabs) < 1e-12 and (.arm - 2.76 | fabs) < 1e-12 and .motor == 2e-4 and .ratio == 100'
expect_json '.joints.arm.motor_side - 4.76e-4 | fabs < 1e-15'
expect_json '.joints.hand | .motor == null and .ratio == null and .motor_side == null'
for route in mass jacobian; do
  limber inertia "$scratch/arm.yaml" --json --route $route --set "$move" --set 'solver={duration: 1 s, step: 10 ms}'
  expect_status 0
  expect_json ".route == \"$route\" and (.time | length) == 101 and .time[100] == 1"
  expect_json '.joints.arm | (.inertia | length) == 101 and (.inertia[100] - 4.46 | fabs) < 1e-12 and (.motor_side[0] - 4.76e-4 | fabs) < 1e-15'
  expect_json '.joints.hand | .motor_side == null and (.arm | length) == 101'
done
limber inertia "$scratch/arm.yaml" --set "$move" --set 'solver={duration: 1 s, step: 10 ms}'
expect_out '^two links, effective inertia of its joints from t = 0 to 1 s$'
expect_out '^  arm +kg m\^2 +4\.46 +1 s +4\.76 +0 s +6\.73 % +0\.000446 to 0\.000476$'
expect_out '^  hand +kg m\^2 +0\.09 +0 s +0\.09 +0 s +0 % +-'
limber inertia "$scratch/arm.yaml" --json --set "$move" --set 'solver={duration: 1 s}' --at 0.5
expect_json '.time == 0.5 and (.joints.arm.inertia - (4.46 + 0.3 * ((3.141592653589793 / 4) | cos)) | fabs) < 1e-12'

# As a table of numbers.
limber inertia "$scratch/arm.yaml" --set "$move" --set 'solver={duration: 1 s}' --along 5 -o "$scratch/i.csv"
expect_status 0
expect_silent out
[ "$(head -n 1 "$scratch/i.csv")" = 't [s],rail.inertia [kg],rail.arm [kg],rail.motor_side [kg m^2],arm.inertia [kg m^2],arm.arm [kg m^2],arm.motor_side [kg m^2],hand.inertia [kg m^2],hand.arm [kg m^2]' ] || fail "header of the CSV"
[ "$(wc -l <"$scratch/i.csv")" -eq 6 ] || fail "rows of the CSV"

# Gains from a bandwidth: the first row of the controller table of FEDEM.
limber inertia models/emats-controller.yaml --at 0
expect_status 0
expect_out '^  j1 +kg m\^2 +10\.1 +0\.00027 +260 +0\.00041941 +28\.352 +3\.9257 +0\.0050329$'
limber inertia models/emats-controller.yaml --at 0 --json
expect_json '.joints.j8 | (.kp - 36 * .motor_side * .ratio | fabs) < 1e-10 and (.kv - 12 * .motor_side | fabs) < 1e-14'

# Closed chains along a motion: pins follow, links keep their shape. A five-bar robot that moves as its mirror image.
mirror='motion={left: {profile: quintic, to: 200 deg, duration: 0.3}, right: {profile: quintic, to: -20 deg, duration: 0.3}}'
limber inertia models/five-bar.yaml --at 0.3 --set "$mirror" --json
expect_json '.joints | (.left.arm / .right.arm - 1 | fabs) < 1e-8 and (.["left-elbow"].arm / .["right-elbow"].arm - 1 | fabs) < 1e-8'
limber inertia models/five-bar.yaml --at 0 --set motion=null --set configuration.left='200 deg' --set configuration.right='-20 deg' \
  --set configuration.left-elbow='-130 deg' --set configuration.right-elbow='130 deg' --json
expect_json '.joints.left.arm > 0.0079 and .joints.left.arm < 0.00793'
limber inertia models/slider-crank.yaml --at 0.05 --json
expect_json '.joints.crank.arm < 0.02'

# What it refuses.
limber inertia "$scratch/arm.yaml" --along 5
expect_status 2
expect_err 'arm.yaml:1:1: error: no joint has a motion: along which motion\?'
limber inertia "$scratch/arm.yaml" --set "$move" --along 5
expect_status 2
expect_err 'duration is missing; how long does the motion last\?'
limber inertia "$scratch/arm.yaml" --along 1
expect_err "--along is '1', must be a whole number from 2 to 1000000"
limber inertia "$scratch/arm.yaml" --at -1
expect_err "--at is '-1', must be a time in seconds, at least 0"
limber inertia "$scratch/arm.yaml" --route both
expect_status 2
expect_err "--route is 'both', must be mass or jacobian"
printf 'limber: 1\nlinks: [{name: post, joint: {type: fixed}, body: {mass: 1}}]\n' >"$scratch/post.yaml"
limber inertia "$scratch/post.yaml"
expect_status 2
expect_err 'no joint turns or slides'

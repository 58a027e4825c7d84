# limber ik: joint positions that put a frame at a pose, and where a frame is.
arm=models/six-axis.yaml
limber ik $arm --frame tool --position 0.9,0.2,0.7 --rpy '0,90 deg,0' --all
expect_status 0
expect_silent err
expect_out '^six-axis arm, frame tool at 0\.9, 0\.2, 0\.7 m$'
expect_out '^  joint +unit +1 +2 +3 +4$'
expect_out '^  j1 +deg +16\.276 +16\.276 +-163\.724 +-163\.724$'
expect_out '^  4 solutions$'
expect_out 'closed form: three joints place the wrist'

limber ik $arm --frame tool --position 0.9,0.2,0.7 --rpy '0,90 deg,0' --all --json
expect_status 0
expect_json '.method == "wrist" and .reachable and .distance < 1e-12 and (.solutions | length) == 4'
expect_json '[.solutions[] | .error < 1e-12 and .angle_error < 1e-12 and .singular == "" and (.joints | keys == ["j1", "j2", "j3", "j4", "j5", "j6"])] | all'

# Without --all: the nearest to a posture.
limber ik $arm --frame tool --position 0.9,0.2,0.7 --rpy '0,90 deg,0' --json --near 'j1=-160 deg,j4=-130 deg'
expect_json '(.solutions | length) == 1 and (.solutions[0].joints.j1 + 163.724 * 3.141592653589793 / 180 | fabs) < 1e-4'

# Degrees for radians are doubted.
limber ik $arm --frame tool --position 0.9,0.2,0.7 --rpy '0,90,0' --near 'j1=-160' --json
expect_json '[.warnings[].text] == ["--near is -160 rad, more than two turns; did you mean -160 deg? (write '"'-160 rad'"' if not)", "--rpy is 90 rad, more than two turns; did you mean 90 deg? (write '"'90 rad'"' if not)"]'

# There and back: the pose of the solution is the goal.
limber ik $arm --frame tool --position '900 mm, 0.2, 70 cm' --rpy '0.1, 1.2, -0.3' --json
expect_status 0
posture=$(jq -r '.solutions[0].joints | to_entries | map("\(.key)=\(.value)") | join(",")' "$scratch/out")
limber ik $arm --frame tool --joints "$posture" --json
expect_status 0
expect_json '(.position[0] - 0.9 | fabs) < 1e-12 and (.position[1] - 0.2 | fabs) < 1e-12 and (.position[2] - 0.7 | fabs) < 1e-12'
expect_json '(.rpy[0] - 0.1 | fabs) < 1e-12 and (.rpy[1] - 1.2 | fabs) < 1e-12 and (.rpy[2] + 0.3 | fabs) < 1e-12'
expect_json '(.jacobian | length) == 6 and (.jacobian[0] | length) == 6 and (.singular_values | length) == 6'
limber ik $arm --frame tool
expect_out '^  position  1\.17272  0  0\.874677 m$'
expect_out '^  wz +1 +0 +0 +-0\.17365 +0 +-0\.76604$'

# Out of reach: status 1, the distance, and the posture that is nearest.
limber ik $arm --frame tool --position 2,0,0.5 --rpy 0,0,0 --json
expect_status 1
expect_err "frame 'tool' cannot get there: 637\.3 mm left$"
expect_json '.reachable == false and (.distance - 0.6372957444 | fabs) < 1e-9 and .solutions == [] and .nearest.singular == "elbow"'
limber ik $arm --frame tool --position 2,0,0.5 --rpy 0,0,0
expect_status 1
expect_out 'not reached; as near as it gets:'
# Only limits are in the way.
limber ik models/six-axis.yaml --frame tool --position -0.9,0,0.7 --rpy '0,90 deg,0' --set 'links.turret.joint.limits.position=[-1, 1]' \
  --set 'links.upper.joint.limits.position=[0, 2]'
expect_status 1
expect_err "cannot get there: .* left; without the limits of joint 'j[12]' it would get there"
limber ik $arm --frame tool --position 0.9,0.2,0.7 --tolerance '1 mm'
expect_status 0

# Joints that are held, and planar arms.
limber ik $arm --frame tool --position 0.9,0.2,0.7 --hold j4,j5,j6 --all --json
expect_json '.method == "point" and (.solutions | length) == 2 and (.solutions[0].joints | keys == ["j1", "j2", "j3"])'
limber ik $arm --frame tool --position 0.9,0.2,0.7 --rest middle --json
expect_json '.method == "search" and .reachable'
cat >"$scratch/planar.yaml" <<'END'
limber: 1
name: two links
planar: xy
links:
  - {name: a, body: {mass: 1, tip: [0.5, 0, 0]}}
  - {name: b, body: {mass: 1, tip: [0.3, 0, 0]}}
END
limber ik "$scratch/planar.yaml" --position 0.5,0.3 --all --json
expect_json '.method == "planar" and (.solutions | length) == 2 and ([.solutions[].joints.b] | sort | (.[1] - 1.5707963267948966 | fabs) < 1e-12)'
limber ik "$scratch/planar.yaml" --position 1,0 --json
expect_status 1
expect_json '(.distance - 0.2 | fabs) < 1e-12'
limber ik "$scratch/planar.yaml" --position 0.8,0,0
expect_status 0
expect_out '^  singular: elbow$'

# Closed chains: motors, and the joints that follow them.
limber ik models/five-bar.yaml --position 0,0.38 --all
expect_status 0
expect_out '^  joint +unit +1 +2 +3 +4$'
expect_out '^  follows +unit +1 +2 +3 +4$'
expect_out '^  loops closed to '
limber ik models/five-bar.yaml --position 0,0.38 --json
expect_status 0
expect_json '.method == "search" and .distance < 1e-10 and (.solutions[0] | .gap < 1e-11 and (.joints | keys == ["left", "right"]) and (.passive | keys == ["left-elbow", "right-elbow"]))'
posture=$(jq -r '.solutions[0].joints | to_entries | map("\(.key)=\(.value)") | join(",")' "$scratch/out")
limber ik models/five-bar.yaml --joints "$posture" --json
expect_status 0
expect_json '(.position[0] | fabs) < 1e-10 and (.position[1] - 0.38 | fabs) < 1e-10 and (.jacobian[0] | length) == 2 and .freedoms == 2 and .singular == ""'
limber ik models/five-bar.yaml --joints 'left=120 deg,right=60 deg' --set links.left-arm.joint.origin.xyz='[-210 mm, 0, 0]' --set links.right-arm.joint.origin.xyz='[210 mm, 0, 0]' \
  --set motion={} --set configuration.left='110 deg' --set configuration.right='70 deg'
expect_status 0
expect_out '^  singular: held joints do not hold it$'
limber ik models/five-bar.yaml --position 0,0.8
expect_status 1
expect_err "frame 'pin-point' cannot get there: 265\.96 mm left$"
expect_out '^  singular: a direction is lost$'
limber ik models/five-bar.yaml --position 0,0.38 --rpy 0,0,0
expect_status 1
expect_err 'mm and [0-9.]* deg left; its joints give it 2 of the 3 freedoms of a pose$'
limber ik models/five-bar.yaml --position 0,0.38 --set links.left-rod.joint.limits.position='[-1, 1]' --set motion={}
expect_status 1
expect_err "left; without the limits of joint 'left-elbow' it would get there$"
# A delta robot that gravity bends: the platform is where it is told to be.
limber ik models/delta.yaml --position 0.1,0.05,-0.65 --deformed --json
expect_status 0
set=$(jq -r '.solutions[0] | .joints + .passive | to_entries | map(select(.key | contains(".") | not)) | map("\(.key): \(.value)") | "configuration={\(join(", ")), " + ([["a", "b", "c"][] as $i | ["left", "right"][] as $k | "elbow-\($i)-\($k): {first: 107 deg}"] | join(", ")) + ", ball-a-left: {rpy: [0, -127 deg, 0]}}"' "$scratch/out")
limber static models/delta.yaml --json --set motion={} --set "$set"
expect_status 0
expect_json '.frames.tip.position | (.[0] - 0.1 | fabs) < 1e-8 and (.[1] - 0.05 | fabs) < 1e-8 and (.[2] + 0.65 | fabs) < 1e-8'
limber static models/delta.yaml --json
tip=$(jq -c .frames.tip.position "$scratch/out")
limber ik models/delta.yaml --deformed --json
expect_json "[.position, $tip] | transpose | map((.[0] - .[1] | fabs) < 1e-9) | all"

# As gravity bends it: the sag of static is made up for.
limber ik models/spatial-3r.yaml --position 1.2,0.5,0.9 --json --deformed
expect_status 0
set=$(jq -r '.solutions[0].joints | "configuration={hip: \(.hip), shoulder: \(.shoulder), elbow: \(.elbow)}"' "$scratch/out")
limber static models/spatial-3r.yaml --json --set motion={} --set "$set"
expect_json '.frames.tip.position | (.[0] - 1.2 | fabs) < 1e-8 and (.[1] - 0.5 | fabs) < 1e-8 and (.[2] - 0.9 | fabs) < 1e-8'
limber static models/spatial-3r.yaml --json
tip=$(jq -c .frames.tip.position "$scratch/out")
limber ik models/spatial-3r.yaml --deformed --json
expect_json "[.position, $tip] | transpose | map((.[0] - .[1] | fabs) < 1e-9) | all"

# What it refuses.
refuses() { # message, arguments...
  local message=$1
  shift
  limber ik "$@"
  expect_status 2
  expect_silent out
  expect_err_text "$message"
}
refuses "--frame: unknown frame 'tol'; did you mean 'tool'?" $arm --frame tol
refuses "--frame: unknown frame 'gripper'; there are tip, " $arm --frame gripper
refuses '--position has 2 numbers, must have three' $arm --position 1,2
refuses '--position has 1 number, must have three (or the two of the plane)' "$scratch/planar.yaml" --position 1
refuses '--position has more than three numbers' $arm --position 1,2,3,4
refuses "--position: 'x' is not a number" $arm --position 1,x,3
refuses "--position: '' is not a number" $arm --position 1,,3
refuses "--position: '' is not a number" $arm --position ''
refuses "--position: 'inf' is not a number" $arm --position 1,2,inf
refuses "--position: '2 kg' is not in m" $arm --position '1,2 kg,3'
refuses "--position: unknown unit 'furlong' in '2 furlong'" $arm --position '1,2 furlong,3'
refuses '--rpy has 2 numbers, must have three' $arm --position 1,2,3 --rpy 0,0
refuses "--rpy: '90 mm' is not in rad" $arm --position 1,2,3 --rpy '90 mm,0,0'
refuses '--rpy needs --position beside it' $arm --rpy 0,0,0
refuses '--all needs --position beside it' $arm --all
refuses '--near needs --position beside it' $arm --near j1=1
refuses '--joints asks where the frame is, --position says it: give one of them' $arm --joints j1=0 --position 1,2,3
refuses "--near: unknown joint 'j7'; did you mean 'j1'?" $arm --position 1,2,3 --near j7=1
refuses "--near: 'j1' is not of the form joint=position" $arm --position 1,2,3 --near j1
refuses "--near: '' is not a number" $arm --position 1,2,3 --near j1=
refuses "--joints: '3 mm' is not in rad" $arm --joints 'j1=3 mm'
refuses "--hold: unknown joint 'elbow'" $arm --position 1,2,3 --hold elbow
refuses "no joint moves frame 'turret.base' but those that are held" $arm --frame turret.base --hold j1
refuses "--rest is 'left', must be near or middle" $arm --position 1,2,3 --rest left
refuses "--tolerance is '0', must be above 0" $arm --position 1,2,3 --tolerance 0
refuses "--joints: joint 'left-elbow' follows others by a loop; joints that do not: left, right" models/five-bar.yaml --joints left-elbow=1
refuses "--hold: joint 'right-elbow' follows others by a loop; joints that do not: left, right" models/five-bar.yaml --position 0,0.3 --hold right-elbow
refuses "loop 'pin' cannot be closed from this configuration: a gap of" models/five-bar.yaml --joints 'left=180 deg,right=0' --set links.left-arm.joint.origin.xyz='[-130 mm, 0, 0]'
refuses "ik needs a model file" --position 1,2,3
refuses "unknown option '--posture'" $arm --posture
printf 'limber: 1\nlinks: [{name: post, joint: {type: fixed}, body: {mass: 1}}]\n' >"$scratch/post.yaml"
refuses "no joint moves frame 'tip'" "$scratch/post.yaml"
refuses "--joints: joint 'post' does not turn or slide" "$scratch/post.yaml" --joints post=1
limber ik no-such-file.yaml
expect_status 3
# The option of one name that modes has is still its own.
limber modes models/cantilever.yaml --joints arm=1
expect_status 2
expect_err "--joints is 'arm=1', must be free, locked or held"

# tool: the frame that default channels, residual vibration, programs and ik are about; and what is said about names
# that are not there.
boom=models/boom.yaml
limber simulate $boom
expect_status 0
expect_out '^  boom\.tip\.position\.x '
expect_out '^  boom\.tip after the commands, from 0\.8 s on$'
! grep -qE '^  (rod\.)?tip\.' "$scratch/out" || fail "the rod is not the tool"

# The same numbers as those of a frame named tip, which stands there.
limber simulate $boom --json
expect_status 0
expect_json '.residual.frame == "boom.tip" and .residual.channel == "boom.tip.position"'
jq -c '[.residual | .level, .amplitude, .settling_time]' "$scratch/out" >"$scratch/tool"
limber simulate $boom --json --set 'frames=[{name: lug, on: boom, at: 1.5 m}, {name: tip, on: boom, at: tip}]' --set tool=tip
expect_json '.residual.frame == "tip"'
jq -c '[.residual | .level, .amplitude, .settling_time]' "$scratch/out" | cmp -s - "$scratch/tool" || fail "another tool"

limber simulate $boom --set tool=boom.lug --set solver.duration=0.1
expect_status 0
expect_out '^  (boom\.)?lug\.position\.x '

limber ik models/six-axis.yaml --set tool=tool --joints j1=0
expect_status 0
expect_out 'frame tool'


# Programs move it and grip with it.
cat >"$scratch/arm.yaml" <<'END'
limber: 1
planar: xy
tool: fore.tip
links:
  - {name: upper, body: {mass: 1, tip: [0.5, 0, 0], inertia: [0, 0, 0.02]}}
  - {name: fore, body: {mass: 1, tip: [0.5, 0, 0], inertia: [0, 0, 0.02]}}
  - {name: flag, parent: upper, joint: {type: fixed}, body: {mass: 0.1, tip: [0, 0.1, 0]}}
configuration: {upper: 0.3, fore: 0.9}
program: arm.lua
solver: {duration: 1}
END
echo 'movel{x = 0.6, y = 0.5, z = 0} grip{mass = 1} wait(0.1)' >"$scratch/arm.lua"
limber simulate "$scratch/arm.yaml" --json
expect_status 0
expect_json '(.final["fore.tip.position.x"] - 0.6 | fabs) < 1e-6 and (.final["fore.tip.position.y"] - 0.5 | fabs) < 1e-6'


# Without it: a warning where the last link does not end the longest chain.
limber check $boom
expect_status 0
! grep -q warning "$scratch/out" || fail "the tool is named"
grep -v '^tool:' $boom >"$scratch/boom.yaml"
limber check "$scratch/boom.yaml" --json
expect_status 0
expect_json '.warnings | length == 1 and (.[0].text | test("the tip of .rod., the last link of the file, but .boom. ends a longer chain .4 m against 1\\.3 m.")) and .[0].place == "tip"'
limber check models/four-bar.yaml --json # its longest chain is closed
expect_json '.warnings == []'

# --- names

limber check $boom --names
expect_status 0
for name in joints frames signals channels '  rod' '  lug' '  boom\.tip' '  rod\.reference_velocity' '  lug\.velocity\.y' '  eye\.force\.x'; do expect_out "^$name\$"; done
limber check $boom --names --json
expect_json '(.joints == ["boom", "barrel", "rod"]) and (.frames | index("lug")) and (.channels | index("boom.tip.error.x")) and (.signals | index("rod.position"))'

limber ik models/six-axis.yaml --frame tol --joints j1=0
expect_status 2
expect_err_text "--frame: unknown frame 'tol'; did you mean 'tool'? there are tip, turret.base, turret.tip, upper.base, upper.tip, elbow.base, elbow.tip, forearm.base, forearm.tip, wrist.base, wrist.tip, flange.base and 2 more; 'limber check --names' lists all"
limber ik models/six-axis.yaml --joints j11=0
expect_status 2
expect_err_text "--joints: unknown joint 'j11'; did you mean 'j1'? there are j1, j2, j3, j4, j5, j6"
limber simulate $boom --set 'outputs.channels=[rod.efort]'
expect_status 2
expect_err "channel 'rod\.efort' does not exist; did you mean 'rod\.effort'\? there are tip\.position, .* and [0-9]+ more; 'limber check --names' lists all$"

# Files that a model names lie in its folder, or where the user allows it.

mkdir -p "$scratch/own" "$scratch/other"
printf 't, position\n0, 0\n1, 0.5\n' | tee "$scratch/own/move.csv" >"$scratch/other/move.csv"
printf 'wait(0.1)\n' | tee "$scratch/own/go.lua" >"$scratch/other/go.lua"
printf 'function control(t, joint) return 0 end\n' | tee "$scratch/own/law.lua" >"$scratch/other/law.lua"
printf -- '-1, -1\n1, 1\n' | tee "$scratch/own/law.csv" >"$scratch/other/law.csv"
ln -s ../other/move.csv "$scratch/own/link.csv"
arm=$scratch/own/arm.yaml

write() { # entries
  cat >"$arm" <<END
limber: 1
gravity: [0, 0, 0]
links: [{name: arm, body: {mass: 1, inertia: [1, 1, 1], tip: [1, 0, 0]}}]
solver: {duration: 0.01, step: 1 ms}
$1
END
}

commands=(check static modes simulate inverse inertia ik "generate -o $scratch/code")
each() { # options...
  for c in "${commands[@]}"; do
    read -ra words <<<"$c"
    limber "${words[0]}" "$arm" "${words[@]:1}" "$@"
    expect
  done
}

# Every command refuses, at the place, and takes what is allowed.
write 'motion: {arm: {profile: table, file: ../other/move.csv}}'
expect() {
  expect_status 2
  expect_silent out
  expect_err_text "$arm:5:38: error: motion 'arm': '../other/move.csv' is outside the model's folder; say --allow $scratch/own/../other to let the model read it"
}
each
expect() { expect_status 0; }
each --allow "$scratch/own/../other"
limber check "$arm" --allow "$scratch/none"
expect_status 3
expect_err "error: --allow '$scratch/none' cannot be read"

# Everything that a model can name: the same in its folder, and outside.
entries=(
  'motion: {arm: {profile: table, file: FILE.csv}}#move'
  'drives: {arm: {type: effort, effort: {profile: table, file: FILE.csv}}}#move'
  'drives: {arm: {type: motor, gear: {torque: {table: FILE.csv}}, motor: {rotor_inertia: 1}}}#law'
  'drives: {arm: {type: motor, motor: {rotor_inertia: 1}, control: {type: lua, rate: 100, file: FILE.lua}}}#law'
  'springs: [{name: s, between: [arm.tip, base], force: {table: FILE.csv}}]#law'
  'loads: [{at: tip, force: [0, 1, 0], factor: {profile: table, file: FILE.csv}}]#move'
  'blocks: [{name: b, type: signal, value: {profile: table, file: FILE.csv}}]#move'
  'blocks: [{name: b, type: signal, value: 1}, {name: c, type: table, input: b, file: FILE.csv}]#law'
  'program: FILE.lua#go'
)
for entry in "${entries[@]}"; do
  text=${entry%#*} name=${entry#*#}
  write "${text/FILE/$name}"
  limber check "$arm"
  expect_status 0
  for path in "../other/$name" "$scratch/other/$name"; do
    write "${text/FILE/$path}"
    limber check "$arm"
    expect_status 2
    expect_err "^$arm:5:[0-9]+: error: .*'$path.*' is outside the model's folder; say --allow "
    limber check "$arm" --allow "$scratch/other"
    expect_status 0
  done
done

# A link in the folder leads outside; an override is no exception.
write 'motion: {arm: {profile: table, file: link.csv}}'
limber check "$arm"
expect_status 2
expect_err "'link.csv' is outside the model's folder; say --allow $(realpath "$scratch/other") to"
limber check "$arm" --allow "$scratch/other"
expect_status 0
limber check "$arm" --set motion.arm.file=/etc/passwd
expect_status 2
expect_err_text "--set motion.arm.file: error: motion 'arm': '/etc/passwd' is outside the model's folder; say --allow /etc to let"
! grep -q root "$scratch/err" || fail 'a foreign file is quoted'

# A model through a pipe: its folder is the working directory.
root=$PWD
program=$(realpath "$program")
cd "$scratch/own"
for file in move.csv ../other/move.csv; do
  write "motion: {arm: {profile: table, file: $file}}"
  command="check /dev/stdin" status=0
  "$program" check /dev/stdin <"$arm" >"$scratch/out" 2>"$scratch/err" || status=$?
  [ "$file" = move.csv ] && expect_status 0 || expect_status 2
  command="check /dev/stdin, of a pipe" status=0
  cat "$arm" | "$program" check /dev/stdin >"$scratch/out" 2>"$scratch/err" || status=$?
  [ "$file" = move.csv ] && expect_status 0 || expect_status 2
done
expect_err_text "'../other/move.csv' is outside the model's folder; say --allow ../other to let the model read it"
cd "$root"

# Nobody waits for the other end of a pipe.
write 'motion: {arm: {profile: table, file: move.csv}}'
rm "$scratch/own/move.csv"
mkfifo "$scratch/own/move.csv"
limber check "$arm"
expect_status 3
expect_err "file '.*move.csv' is a pipe or device, not a table"

# Every allocation of limber's own that fails gives a message, in every command, and an old answer stays until the new
# one is whole. MOST of them per command (default 6), from the first to the last; the last ones are those of the answer.
most=${MOST:-6}
short=$(dirname "$program")/tests/limber_short_of_memory
answer=$scratch/answer.json
model=$scratch/arm.yaml
cat >"$model" <<'MODEL'
limber: 1
name: arm short of memory
materials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}
sections: {s: {shape: rectangle, y: 5 mm, z: 20 mm}}
links:
  - {name: a, joint: {name: j}, beam: {length: 0.5, section: s, material: m, elements: 2}, gauges: [{name: g, at: 0.1}]}
  - {name: b, joint: {name: k}, beam: {length: 0.5, section: s, material: m, elements: 2}, basis: {type: modes, count: 1}}
drives: {k: {type: servo, stiffness: 100, damping: 1}}
motion: {j: {profile: cycloidal, from: 0, to: 0.1, duration: 10 ms}}
solver: {duration: 10 ms, step: 1 ms}
MODEL
"$program" simulate "$model" -q -o "$scratch/result"

# One command with the n-th allocation failing: it says so or does without, and ends by itself.
once() { # n, arguments...
  local n=$1
  shift
  echo '{"old": true}' >"$answer"
  status=0
  command="$* (allocation $n fails)"
  COUNT_TO=$scratch/count FAIL_AT=$n "$short" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  [ "$status" -le 3 ] || fail "it did not end by itself"
  [ "$status" -eq 0 ] || grep -q 'error: ' "$scratch/err" || fail "no message"
  jq -e . "$answer" >/dev/null || fail "the answer is neither old nor new"
  [ "$status" -eq 0 ] || jq -e '.old // .status' "$answer" >/dev/null || fail "a failed command replaced the old answer"
}

sweep() { # arguments...
  once 0 "$@"
  expect_status 0
  local total=$(cat "$scratch/count")
  local each=$((total / most + 1))
  for ((n = total; n > 0; n -= each)); do once "$n" "$@"; done
}

for command_word in check static modes inverse inertia ik; do sweep "$command_word" "$model" --json -o "$answer"; done
sweep simulate "$model" --json
sweep simulate "$model" -o "$scratch/runs" --json
sweep generate "$model" -o "$scratch/code" --json
cp models/fe/tube.* "$scratch"
cat >"$scratch/tube.yaml" <<'MODEL'
limber: 1
links:
  - name: tube
    joint: {name: j}
    fe: {stiffness: tube.sti, mass: tube.mas, dofs: tube.dof, nodes: tube.inp, frames: {base: {nodes: ROOT}, tip: {nodes: TIP, coupling: mean}}}
    basis: {type: craig-bampton, count: 2}
MODEL
sweep reduce "$scratch/tube.yaml" -o "$scratch/reduced" --json
printf 'limber: 1\nlinks: [{name: tube, joint: {name: j}, fe: {file: reduced/tube.h5}}]\n' >"$scratch/reduced.yaml"
sweep check "$scratch/reduced.yaml" --json -o "$answer"
sweep report "$scratch/result" -o "$scratch/page.html" --json
sweep plot "$scratch/result" j.position -o "$scratch/figure.svg" --json
sweep spectrum "$scratch/result" --channel j.position --json

# The first example answers every command, in words and as one JSON object; so does every other example of one link.
for question in check static modes; do
  limber $question models/cantilever.yaml
  expect_status 0
  expect_silent err
  expect_out .

  limber $question models/cantilever.yaml --json
  expect_status 0
  expect_silent err
  expect_json 'type == "object"'
done

for model in stepped hanging servo rod; do
  for question in check static modes; do
    limber $question models/$model.yaml
    expect_status 0
    expect_silent err
  done
done

# What the comments of the examples say.
limber modes models/hanging.yaml --json
expect_json '.rigid_modes == 0 and (.frequencies_hz[0] / 0.5994 - 1 | fabs) < 0.002'
limber modes models/hanging.yaml --set solver.start=undeformed --json
expect_json '.rigid_modes == 1 and .frequencies_hz[0] < 0.5'
limber modes models/hanging.yaml --set "configuration.hook=90 deg" --json
expect_json '.unstable_modes > 0'
limber modes models/servo.yaml --json
expect_json '.joints == "held" and .damping_ratios[0] > 0.1'

# The README and the guide show what the program says: blocks that begin with "$ limber QUESTION models/...".
shown() { # file, command: the lines below "$ command" up to the end of the block
  awk -v head="\$ $2" '$0 == head {on = 1; next} /^```/ {on = 0} on' "$1"
}
untimed() { sed -E 's/ each, [0-9.e-]+ s$/ each/'; } # without what a run took
grep -hoE '^\$ limber [a-z]+ models/.*' README.md | sort -u >"$scratch/commands"
[ -s "$scratch/commands" ] || fail "README.md shows no output"
while read -r _ _ arguments; do
  eval "limber $arguments"
  diff -u <(shown README.md "limber $arguments" | untimed) <(untimed <"$scratch/out") || fail "README.md shows another answer"
done <"$scratch/commands"

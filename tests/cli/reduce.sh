# limber reduce: links from finite elements in files of their own, which say the same as what they were made from.
arms=$scratch/arms
mkdir "$arms"
cp models/fe/tube.* models/fe/tube-pull.sti models/fe/tube-spin-*.sti "$arms"
model() { # entry fe, more of the link
  cat <<END_OF_MODEL
limber: 1
name: tube on a hub
links:
  - name: tube
    joint: {name: hub, axis: [0, 0, 1]}
    fe: $1
    masses: [{name: payload, at: tip, mass: 0.5}]
    ${2:-}
drives: {hub: {type: prescribed}}
motion: {hub: {profile: cycloidal, from: 0, to: 0.5, duration: 40 ms}}
solver: {duration: 60 ms, step: 0.5 ms}
outputs: {channels: [tip.position, tip.error, hub.effort]}
END_OF_MODEL
}
files='stiffness: tube.sti, mass: tube.mas, dofs: tube.dof, nodes: tube.inp, frames: {base: {nodes: ROOT}, tip: {nodes: TIP, coupling: mean}}'
loaded='prestressed: [{force: [1000, 0, 0], at: tip, stiffness: tube-pull.sti}, {spin: [0, 0, 50 rad/s], stiffness: tube-spin-z.sti}]'
model "{$files, $loaded}" 'basis: {type: craig-bampton, count: 6}' >"$arms/direct.yaml"
model '{file: reduced/tube.h5}' >"$arms/filed.yaml"

# A table of what is kept and of what is not; the same as JSON.
limber reduce "$arms/direct.yaml" -o "$arms/reduced"
expect_status 0
expect_out '^tube on a hub$'
expect_out '^  link +freedoms +frames +modes +coordinates +mass +left out from +mass in modes +error$'
expect_out '^  tube +1128 +2 +6 +12 +2\.4282 kg +[0-9.]+ kHz +0, [0-9]+, [0-9]+ % +[0-9.]+ %$'
expect_out "^  tube: $arms/reduced/tube.h5$"
[ "$(ls "$arms/reduced")" = tube.h5 ] || fail "other files"
limber reduce "$arms/direct.yaml" -o "$arms/reduced" --json
expect_status 0
expect_json '.links | keys == ["tube"]'
expect_json ".links.tube.file == \"$arms/reduced/tube.h5\" and .links.tube.written"
expect_json '.links.tube | .dofs == 1128 and .frames == 2 and .modes == 6 and .coordinates == 12 and (.mass - 2.42816 | fabs) < 1e-5'
expect_json '.links.tube | .left_out_hz > 1000 and (.clamped_frequencies_hz | length) == 10 and (.reduced_frequencies_hz | length) == 10'
expect_json '.links.tube | [.clamped_frequencies_hz, .reduced_frequencies_hz] | transpose | all(.[1] > .[0] * (1 - 1e-9)) and (.[0][1] / .[0][0] < 1.01)'
limber reduce "$arms/direct.yaml" -o "$arms/reduced" -q
expect_status 0
expect_silent out

# The model that names the file gives the same answers.
for c in modes static inverse simulate; do
  limber $c "$arms/direct.yaml" --json
  expect_status 0
  jq 'del(.wall_s)' "$scratch/out" >"$scratch/direct.json"
  limber $c "$arms/filed.yaml" --json
  expect_status 0
  jq 'del(.wall_s)' "$scratch/out" | cmp -s - "$scratch/direct.json" || fail "not the answer of the direct model"
done

# Links that are reduced already stay as they are.
limber reduce "$arms/filed.yaml" -o "$arms/again"
expect_status 0
expect_out '^  tube: reduced/tube\.h5, reduced before and left as it is$'
[ -z "$(ls "$arms/again")" ] || fail "a file is made"
limber reduce "$arms/filed.yaml" -o "$arms/again" --json
expect_json '.links.tube | .file == "reduced/tube.h5" and .written == false and .modes == 6'

# Sources that changed, also touched ones with the same content; sources that are gone.
touch "$arms/tube.sti"
limber check "$arms/filed.yaml" -q
expect_status 0
cp "$arms/tube.sti" "$scratch/kept"
sed -i '1s/[0-9]\.[0-9]/9.9/' "$arms/tube.sti"
limber check "$arms/filed.yaml"
expect_status 2
expect_silent out
expect_err_text "$arms/filed.yaml:6:16: error: 'reduced/tube.h5' was made from another tube.sti (changed since): run 'limber reduce' again"
mv "$arms/tube.sti" "$scratch/gone"
limber check "$arms/filed.yaml" -q
expect_status 0
cp "$scratch/kept" "$arms/tube.sti"
limber check "$arms/filed.yaml" -q
expect_status 0

# Files that are none.
limber check "$arms/filed.yaml" --set links.tube.fe.file=reduced/nowhere.h5
expect_status 3
expect_err "'reduced/nowhere\.h5' cannot be read: No such file"
head -c 5000 "$arms/reduced/tube.h5" >"$arms/cut.h5"
limber check "$arms/filed.yaml" --set links.tube.fe.file=cut.h5
expect_status 2
expect_err "'cut\.h5' is damaged"
limber simulate models/cantilever.yaml --set solver.duration=1e-3 --set solver.step=1e-4 -q -o "$arms/result"
expect_status 0
limber check "$arms/filed.yaml" --set links.tube.fe.file=result/result.h5
expect_status 2
expect_err "'result/result\.h5' is no file of 'limber reduce'"
limber check "$arms/filed.yaml" --set links.tube.fe.file=direct.yaml
expect_status 2
expect_err "'direct\.yaml' is damaged, or no file of 'limber reduce'"

# What is asked wrongly.
limber reduce "$arms/direct.yaml"
expect_status 2
expect_silent out
expect_err 'reduce needs a folder for the reduced links: -o DIR'
limber reduce models/cantilever.yaml -o "$scratch/none"
expect_status 2
expect_err 'the model has no link from finite elements to reduce'
[ ! -e "$scratch/none" ] || fail "a folder is made"
limber reduce "$arms/direct.yaml" -o "$arms/tube.dof/x"
expect_status 3
expect_err 'this folder cannot be made'

# A file that the model reads is not written over.
cat >"$arms/two.yaml" <<END_OF_MODEL
limber: 1
links:
  - {name: first, joint: {name: a}, fe: {file: reduced/tube.h5}}
  - {name: tube, joint: {name: b}, fe: {$files}}
END_OF_MODEL
before=$(cksum "$arms/reduced/tube.h5")
limber reduce "$arms/two.yaml" -o "$arms/reduced"
expect_status 2
expect_err_text "$arms/reduced/tube.h5 would overwrite what is read"
[ "$(cksum "$arms/reduced/tube.h5")" = "$before" ] || fail "it is written over"

# Names that no file has.
sed "s|name: tube$|name: a/b c|" "$arms/direct.yaml" >"$arms/odd.yaml"
limber reduce "$arms/odd.yaml" -o "$arms/odd"
expect_status 0
[ "$(ls "$arms/odd")" = "a_b c.h5" ] || fail "not a_b c.h5: $(ls "$arms/odd")"
cat >"$arms/alike.yaml" <<END_OF_MODEL
limber: 1
links:
  - {name: a/b, joint: {name: a}, fe: {$files}}
  - {name: a:b, joint: {name: b}, fe: {$files}}
END_OF_MODEL
limber reduce "$arms/alike.yaml" -o "$arms/alike" --json
expect_status 0
expect_json "[.links[].file] == [\"$arms/alike/a_b.h5\", \"$arms/alike/a_b~2.h5\"]"

# limber generate: the model as stand-alone C, which compiles without a warning and runs.
limber generate models/prototype.yaml -o "$scratch/code"
expect_status 0
expect_silent err
expect_out '^prototype with motors at the joints, PP: 6 coordinates, [0-9]+ inputs$'
expect_out '^  accelerations +4 +[0-9]+ +[0-9]+ +[0-9]+ +0$'
expect_out '^written to .*: prototype.h, prototype.c, main.c, README$'
for file in prototype.h prototype.c main.c README; do [ -s "$scratch/code/$file" ] || fail "$file is missing"; done
grep -q '^//   accelerations ' "$scratch/code/prototype.c" || fail 'the code does not say its operations'
grep -Eq 'malloc|static double|^double [a-z]+;' "$scratch/code/prototype.c" && fail 'the code allocates or has variables of its own'
cc -std=c99 -Wall -Wextra -Werror -pedantic -O1 "$scratch/code/prototype.c" "$scratch/code/main.c" -o "$scratch/run" -lm ||
  fail 'the code does not compile'
"$scratch/run" 0.1 1e-4 10 >"$scratch/motion.csv" || fail 'the code does not run'
[ "$(wc -l <"$scratch/motion.csv")" -eq 12 ] || fail 'the code does not record'
head -n 1 "$scratch/motion.csv" | grep -qE '^t \[s\],[a-z0-9_.]+\.position \[rad\],.*\.deformation\.1,.*\.velocity \[rad/s\],.*\.deformation_rate\.[0-9]$' ||
  fail 'the columns have no names'
awk -F, '{ if (NF != 13) exit 1 }' "$scratch/motion.csv" || fail 'not as many names as columns'

# The same bytes every time.
limber generate models/prototype.yaml -o "$scratch/again" --json
expect_status 0
expect_json '.operations | .trig == 4 and .sqrt == 0 and (keys - ["trig", "add", "mul", "div", "sqrt", "other"] == [])'
expect_json '.coordinates == 6 and .functions.mass.div == 0 and .name == "prototype"'
diff -r "$scratch/code" "$scratch/again" >/dev/null || fail 'the code differs from run to run'

# A number that stays adjustable.
limber generate models/strip-two-link.yaml -o "$scratch/kept" --json --keep links.fore.masses.payload.mass \
  --set links.upper.basis='{type: modes, count: 1}' --set links.fore.basis='{type: modes, count: 1}'
expect_status 0
expect_json '.parameters == {"links.fore.masses.payload.mass": 0.1}'
grep -q 's->p\[0\] = 0.1;' "$scratch/kept/strip_two_link.c" || fail 'the kept number does not start as in the model'
limber generate models/strip-two-link.yaml -o "$scratch/no" --keep links.fore.beam.length \
  --set links.upper.basis='{type: modes, count: 1}' --set links.fore.basis='{type: modes, count: 1}'
expect_status 2
expect_err_text "'links.fore.beam.length' cannot be kept: the constants of the bodies do not depend on it linearly"

# Frames are those of links that were written, not of what stands between the freedoms of a joint.
cat >"$scratch/hand.yaml" <<'YAML'
limber: 1
links:
  - {name: arm, body: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], tip: [1, 0, 0]}}
  - {name: hand, joint: {name: wrist, type: universal}, body: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}}
YAML
limber generate "$scratch/hand.yaml" -o "$scratch/hand"
expect_status 0
grep -q 'joint wrist.first \[rad\]' "$scratch/hand/hand.h" || fail 'a freedom has no name'
grep -Eq 'hand\.tip$' "$scratch/hand/hand.h" || fail 'a frame is not listed'
grep -Eq 'wrist\.[a-z]+\.(base|tip)' "$scratch/hand/hand.h" && fail 'a frame of no link is listed'
limber generate "$scratch/hand.yaml" --fmu 3 --no-binary -o "$scratch/hand.fmu"
expect_status 0
unzip -p "$scratch/hand.fmu" modelDescription.xml >"$scratch/hand.xml"
grep -q 'hand.tip' "$scratch/hand.xml" || fail 'an FMU has no frames'
grep -Eq 'wrist\.[a-z]+\.(base|tip)' "$scratch/hand.xml" && fail 'an FMU has frames of no link'

# What it needs, and what it refuses.
limber generate models/prototype.yaml
expect_status 2
expect_err_text 'generate needs a folder for the code: -o DIR'
limber generate models/elastic-joint.yaml -o "$scratch/no"
expect_status 2
expect_err_text "drive 'joint' has friction that sticks"
limber generate models/spatial-3r.yaml -o "$scratch/no"
expect_status 2
expect_err_text "--set links.upper.basis='{type: modes, count: 2}'"
limber generate models/prototype.yaml -o "$scratch/no" --set solver.mode=linear
expect_status 2
expect_err 'mode is linear, code is generated for modes nonlinear and rigid'
[ ! -e "$scratch/no" ] || fail 'a model that is refused leaves a folder'

# Names and titles of any kind stay inside their comments.
cat >"$scratch/odd.yaml" <<'YAML'
limber: 1
name: "two\nlines & <more> \\"
gravity: [0, -9.81, 0]
links:
  - {name: "arm \\ äöüäöüäöüäöüäöü", joint: {name: "joint\\", axis: [0, 0, 1]}, body: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}
YAML
limber generate "$scratch/odd.yaml" -o "$scratch/odd"
expect_status 0
cc -std=c99 -Wall -Wextra -Werror -pedantic -O1 "$scratch/odd/odd.c" "$scratch/odd/main.c" -o "$scratch/run" -lm ||
  fail 'the code of a model with odd names does not compile'
for version in 2 3; do
  limber generate "$scratch/odd.yaml" --fmu $version -o "$scratch/odd.fmu"
  expect_status 0
  unzip -p "$scratch/odd.fmu" modelDescription.xml | xmllint --noout - || fail 'the description of a model with odd names is no XML'
done

# Names that are taken get another.
cp models/emats-controller.yaml "$scratch/main.yaml"
limber generate "$scratch/main.yaml" -o "$scratch/taken"
expect_status 0
expect_out 'main_arm.h, main_arm.c, main.c, README$'
cc -std=c99 -Wall -Wextra -Werror -pedantic -O0 "$scratch/taken/main_arm.c" "$scratch/taken/main.c" -o "$scratch/run" -lm ||
  fail 'the code of main.yaml does not compile'

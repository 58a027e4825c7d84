# limber static: displacements, reactions, strains and stresses.
limber static models/cantilever.yaml
expect_status 0
expect_out '^cantilever with a payload at rest$'
expect_out '^  frame +x \[mm\] +y \[mm\] +z \[mm\] +dx \[mm\] +dy \[mm\] +dz \[mm\]$'
expect_out '^  arm\.tip +600 +-2\.92'
expect_out '^  shoulder +3\.2915 N m +0 +8\.0285 +-2 '
expect_out '^  arm\.root +104\.'
expect_out '^  largest stress in arm: 8\.3[0-9]* MPa \(von Mises\)$'

# The keys of the JSON answer.
limber static models/cantilever.yaml --json
expect_json '.frames | keys == ["arm.base", "arm.tip", "tip", "tool"]'
expect_json '[.frames[] | .position, .displacement, .rotation | length == 3] | all'
expect_json '.frames.tip == .frames["arm.tip"] and .frames["arm.base"].displacement == [0, 0, 0]'
expect_json '.joints.shoulder | (.effort - 3.2914512 | fabs) < 1e-9 and .force[2] == -2 and (.moment[1] - 1.3 | fabs) < 1e-9'
expect_json '.stress.arm > 8e6 and .stress.arm < 9e6'
expect_json '.gauges["arm.root"] | .strain > 0 and (.stress / .strain / 70e9 - 1 | fabs) < 1e-12'

# Twice the force from the side moves the tip twice as far to the side, and down as before.
limber static models/cantilever.yaml --json
cp "$scratch/out" "$scratch/once"
limber static models/cantilever.yaml --json --set 'loads=[{at: tool, force: [0, 0, 4 N]}]'
expect_json ".frames.tip.displacement as \$b | $(jq -c .frames.tip.displacement "$scratch/once") as \$a |
  (\$b[2] / \$a[2] - 2 | fabs) < 1e-9 and \$b[1] == \$a[1]"

# What is not known is null.
limber static models/rod.yaml --json --set 'sections.rod={shape: general, A: 1 cm^2, Iy: 1 cm^4, Iz: 1 cm^4}'
expect_status 0
expect_json '.stress | has("rod") and .rod == null'
limber static models/rod.yaml --set 'sections.rod={shape: general, A: 1 cm^2, Iy: 1 cm^4, Iz: 1 cm^4}'
expect_out 'stress in rod: unknown, a section lacks its outer size'

# Whole arms are not there yet, and it says so, with the place.
cat >"$scratch/two.yaml" <<'MODEL'
limber: 1
links:
  - name: upper
    body: {mass: 1}
  - name: fore
    body: {mass: 1}
MODEL
for question in static modes; do
  limber $question "$scratch/two.yaml"
  expect_status 2
  expect_silent out
  expect_err "two\\.yaml:5:5: error: link 'fore' is the second of 2: .* single link on its joint so far\$"
done

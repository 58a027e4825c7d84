# limber report, and report.html of every command with -o: whole, offline, safe, honest about what went wrong.
data() { # file: the JSON that the page holds
  sed -n '/<script type="application\/json" id="report">/,/<\/script>/p' "$1" | sed '1s/.*id="report">//; $s/<\/script>.*//'
}
expect_data() { # file, jq filter
  data "$1" | jq -es "length == 1 and (.[0] | ($2))" >/dev/null || fail "data of $1: not $2"
}

# Every command with a folder leaves a report, and nothing half written.
limber simulate models/flexible-2r.yaml -o "$scratch/nonlinear" --set solver.duration=0.5
expect_status 0
expect_out "written to $scratch/nonlinear: channels.csv, report.html, result.h5, summary.json"
[ "$(ls "$scratch/nonlinear" | tr '\n' ' ')" = "channels.csv report.html result.h5 summary.json " ] || fail "files of simulate"
page=$scratch/nonlinear/report.html
expect_data "$page" '.format == 1 and (.runs | length) == 1 and .title == "flexible 2R arm"'
expect_data "$page" '.runs[0] | .kind == "simulate" and .label == "nonlinear" and .status == "done" and .message == null'
expect_data "$page" '.runs[0] | .overrides == ["solver.duration=0.5"] and (.model | startswith("limber: 1") or contains("\nlimber: 1"))'
expect_data "$page" '.runs[0] | (.about | map(.[0]) | contains(["mode", "method", "step", "energy balance (rms)"]))'
expect_data "$page" '.runs[0].scene | (.links | map(.nodes) | add) as $n | .links[1].first + .links[1].nodes == $n and .tool == 0 and .frames[0].name == "tip"'
expect_data "$page" '.runs[0] | .time.shape[0] as $t | .displacement.shape[1:] == [3, $t] and .rigid.shape == [2, 6, $t] and .stress == null' # a general section without its size
expect_data "$page" '.runs[0].channels | .thinned == false and .rows == 501 and (.list | map(.group) | unique | . == ["efforts", "energy", "tool", "tool error"])'

# A beam that slides through its guide, by itself: the part behind the guide is not drawn.
cat >"$scratch/slide.yaml" <<'EOF'
limber: 1
materials: {alu: {E: 70 GPa, nu: 0.33, rho: 2700}}
sections: {s: {shape: rectangle, y: 8 mm, z: 30 mm}}
links:
  - name: beam
    joint: {name: j, type: prismatic, axis: [1, 0, 0], slide: {free_length: beam}}
    beam: {length: 1, section: s, material: alu, elements: 4}
configuration: {j: 0.4}
motion: {j: {profile: cycloidal, to: 0.5, duration: 0.1}}
solver: {duration: 0.1}
EOF
limber simulate "$scratch/slide.yaml" -o "$scratch/slide"
expect_status 0
expect_data "$scratch/slide/report.html" '.runs[0] | .status == "done" and .scene.links[0].nodes > 1'

# Joints with several freedoms: a page, results and answers speak of the links and joints that were written.
cat >"$scratch/ship.yaml" <<'EOF'
limber: 1
gravity: [0, 0, 0]
materials: {alu: {E: 70 GPa, nu: 0.33, rho: 2700}}
sections: {s: {shape: tube, outer: 40 mm, inner: 36 mm}}
links:
  - {name: ship, joint: {name: orbit, type: free}, body: {mass: 10, inertia: [1, 2, 2.5]}}
  - {name: boom, joint: {name: hub, origin: {xyz: [0.5, 0, 0]}}, beam: {length: 1, section: s, material: alu, elements: 2}}
  - {name: hand, joint: {name: wrist, type: universal}, body: {mass: 1, inertia: [0.1, 0.1, 0.1], tip: [0.1, 0, 0]}}
configuration: {orbit: {velocity: [0.2, 0, 0], angular_velocity: [0, 4, 0.1]}}
motion: {hub: {profile: cycloidal, to: 0.5, duration: 0.5}, wrist.first: {profile: cycloidal, to: 0.4, duration: 0.5}}
solver: {duration: 1 s, step: 1 ms}
outputs: {channels: [orbit.translation, orbit.rotation, orbit.angular_velocity, wrist.first.position]}
EOF
limber simulate "$scratch/ship.yaml" -o "$scratch/ship"
expect_status 0
page=$scratch/ship/report.html
expect_data "$page" '.runs[0].scene | (.links | map([.name, .parent])) == [["ship", -1], ["boom", 0], ["hand", 1]]'
expect_data "$page" '.runs[0].scene | (.joints | map([.name, .type, .link])) == [["orbit", "free", 0], ["hub", "revolute", 1], ["wrist", "universal", 2]]'
expect_data "$page" '.runs[0].scene | .links[0].body == {"mass": 10, "com": [0, 0, 0], "inertia": [1, 2, 2.5, 0, 0, 0]} and (.frames | map(.name) | all(test("orbit|wrist") | not))'
expect_data "$page" '.runs[0] | .rigid.shape[0] == 3 and .place.shape[0] == 7 and .ghost == null' # nothing lags: the ghost sits on the ship
expect_data "$page" '.runs[0].channels.list | map(select(.name | startswith("orbit.t") or startswith("orbit.a")).group) == ["joints", "joints", "joints", "joints", "joints", "joints"]'
limber modes "$scratch/ship.yaml" --set configuration=null --json --quiet
expect_status 0
expect_json '.shapes | length > 0 and all(keys == ["boom", "hand", "ship"])'
page=$scratch/nonlinear/report.html

# Steps that are chosen by their error.
limber simulate models/prototype.yaml --set solver.step=auto --set solver.duration=0.2 -o "$scratch/auto"
expect_status 0
jq -e '.step == "auto" and .steps > 10' "$scratch/auto/summary.json" >/dev/null || fail "summary of step: auto"
expect_data "$scratch/auto/report.html" '.runs[0].about | contains([["step", "auto"]])'

limber modes models/spatial-3r.yaml -n 3 -o "$scratch/modes"
expect_status 0
expect_out 'mode +frequency'
expect_out "written to $scratch/modes: report.html, result.h5, summary.json"
[ "$(ls "$scratch/modes" | tr '\n' ' ')" = "report.html result.h5 summary.json " ] || fail "files of modes"
jq -e '.frequencies_hz | length == 3' "$scratch/modes/summary.json" >/dev/null || fail "summary of modes"
expect_data "$scratch/modes/report.html" '.runs[0] | .kind == "modes" and (.modes | length) == 3 and .modes[0].frequency > 20 and .stress == null and .time.shape == [1]'

limber static models/stepped.yaml --json --quiet -o "$scratch/static/deep"
expect_status 0
expect_json '.stress.boom > 8e6'
expect_data "$scratch/static/deep/report.html" '.runs[0] | .kind == "static" and .label == "static" and .tables[0].title == "Frames" and .stress.type == "f32" and .channels.list == []'
limber static models/stepped.yaml --quiet -o "$scratch/static/quiet"
expect_status 0
expect_silent out

# A name like an answer's, or a file that is there, takes the answer alone, as ever.
limber modes models/cantilever.yaml --json -o "$scratch/answer.json"
expect_status 0
jq -e .frequencies_hz "$scratch/answer.json" >/dev/null || fail "answer in a file"

# A page is offline: a policy that allows nothing from elsewhere, no address to fetch from.
grep -q "default-src 'none'" "$page" || fail "no content security policy"

# Results again, and several of them.
rm "$page"
limber report "$scratch/nonlinear/"
expect_status 0
expect_out "^written to $scratch/nonlinear/report.html"
expect_out 'nonlinear +simulate +done +flexible 2R arm'
[ -f "$page" ] || fail "report of a folder"
limber simulate models/flexible-2r.yaml -q -o "$scratch/linear" --mode linear --set solver.duration=0.5
limber report "$scratch/nonlinear" "$scratch/linear/result.h5" "$scratch/modes" -o "$scratch/compare.html" --json
expect_status 0
expect_json '.report | endswith("compare.html")'
expect_json '(.runs | map(.label)) == ["nonlinear", "linear", "modes"] and .bytes > 1000'
expect_data "$scratch/compare.html" '(.runs | length) == 3 and .title == "flexible 2R arm, spatial 3R arm"'
limber report "$scratch/nonlinear" "$scratch/nonlinear" -o "$scratch/compare.html" --quiet
expect_status 0
expect_silent out
expect_data "$scratch/compare.html" '(.runs | map(.label)) == ["nonlinear", "nonlinear (2)"]'

# What is wrong is said.
limber report
expect_status 2
expect_err 'report needs a result: limber report RESULT'
limber report "$scratch/nonlinear" "$scratch/linear"
expect_status 2
expect_err 'needs a name: -o compare.html'
limber report "$scratch/nonlinear" --set solver.step=1
expect_status 2
expect_err 'takes no --set'
limber report "$scratch/nowhere"
expect_status 3
expect_err 'No such file'
limber report tests/cli
expect_status 3
expect_err 'there is no result.h5'
limber report models/README.md
expect_status 3
expect_err 'no HDF5 file'
for size in 10 1000 20000; do
  head -c $size "$scratch/nonlinear/result.h5" >"$scratch/cut.h5"
  limber report "$scratch/cut.h5" -o "$scratch/cut.html"
  expect_status 3
  expect_err 'damaged'
  [ ! -e "$scratch/cut.html" ] || fail "a report of a damaged result"
done
limber report "$scratch/nonlinear" -o "$scratch/no/such/folder.html"
expect_status 3

# A failed run has a report that says so, and why.
limber simulate models/strip-two-link.yaml -o "$scratch/failed" --set solver.method=rk4
expect_status 1
expect_data "$scratch/failed/report.html" '.runs[0] | .status == "failed" and (.message | contains("too large for rk4"))'

# Warnings are in it.
limber simulate tests/models/spin.yaml --set solver.stiffening=off --set solver.duration=2 -q -o "$scratch/spin"
expect_err "limber: warning: axial forces stiffen or soften link 'a'"
expect_data "$scratch/spin/report.html" '.runs[0] | (.warnings[0] | startswith("axial forces")) and .stress.shape == [21, 1000]'

# Names are text, whatever they look like.
cat >"$scratch/hostile.yaml" <<'YAML'
limber: 1
name: '</script><img src=x onerror=alert(1)>'
links: [{name: '</script><b>', body: {mass: 1, tip: [1, 0, 0]}, masses: [{name: '<!--', at: tip, mass: 1}]}]
solver: {duration: 0.01}
YAML
limber simulate "$scratch/hostile.yaml" -q -o "$scratch/hostile" --set gravity='[0, 0, 0]'
expect_status 0
grep -qF '<img src=x' "$scratch/hostile/report.html" && fail "markup in the page"
expect_data "$scratch/hostile/report.html" '.title == "</script><img src=x onerror=alert(1)>" and .runs[0].scene.links[0].name == "</script><b>"'

# Ctrl-C leaves a report that says so; a killed run is shown up to its last flush.
for signal in INT KILL; do
  "$program" simulate models/flexible-2r.yaml --set solver.duration=10000 -o "$scratch/$signal" --quiet >/dev/null 2>&1 &
  pid=$!
  until [ -f "$scratch/$signal/channels.csv.part" ]; do sleep 0.1; done
  limber report "$scratch/$signal"
  expect_status 3
  sleep 2
  kill -$signal $pid
  wait $pid 2>/dev/null || true
done
expect_data "$scratch/INT/report.html" '.runs[0].status == "interrupted"'
ls "$scratch/INT" | grep -q part && fail "a part is left"
[ ! -e "$scratch/KILL/report.html" ] || fail "a report of a killed run"
limber report "$scratch/KILL"
expect_status 0
expect_out unfinished
expect_data "$scratch/KILL/report.html" '.runs[0] | .status == "unfinished" and .channels.rows > 100 and .channels.thinned == (.channels.rows > 4000)'

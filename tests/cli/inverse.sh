# limber inverse: efforts of the commanded motion, flexible beside rigid.
limber inverse models/flexible-2r.yaml
expect_status 0
expect_silent err
expect_out '^flexible 2R arm, efforts of its motion in 4 s$'
expect_out '^  shoulder +N m +3\.73[0-9]* +[0-9.]+ +3\.45[0-9]* '

# The keys of the JSON answer; drives of joints with a motion do not matter.
limber inverse models/flexible-2r.yaml --json --set 'drives={elbow: {type: effort}}' --set solver.duration='1 s'
expect_status 0
expect_json '(.time | length) == 1001 and .time[0] == 0 and .time[1000] == 1'
expect_json '.joints | keys == ["elbow", "shoulder"] and (.elbow.effort | length) == 1001'
expect_json '.joints.shoulder | (.rigid_effort | max) == .rigid_peak and .peak > .rigid_peak and .flexibility_share > 0'

# What it needs.
limber inverse models/cantilever.yaml
expect_status 2
expect_silent out
expect_err 'no joint has a motion'
limber inverse models/flexible-2r.yaml --set 'solver={step: 1 ms}'
expect_status 2
expect_err 'duration is missing'

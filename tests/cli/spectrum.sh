# limber spectrum: density and peaks of channels of folders, files and tables; refusals. Residual vibration of simulate.
limber simulate models/flexible-2r.yaml -o "$scratch/run" --json
expect_status 0
expect_json '.residual | .start == 2.5 and .channel == "tip.position" and .settling_time == null and (.frequencies_hz | length) == 1'
expect_json '.residual | (.level | length) == 3 and (.level[1] - 1.7320508 | fabs) < 1e-5 and .amplitude > 1.9e-4 and .amplitude < 2.1e-4 and (.damping_ratio | fabs) < 1e-4'
frequency=$(jq '.residual.frequencies_hz[0]' "$scratch/out")
jq -e '.residual.amplitude > 0' "$scratch/run/summary.json" >/dev/null || fail 'summary.json has no residual vibration'

# It vibrates with its lowest natural frequency there, and the spectrum of the same time says so too.
limber modes models/flexible-2r.yaml --json --joints locked -n 1 --set 'configuration={shoulder: 60 deg, elbow: 60 deg}' --set motion='{}'
expect_status 0
expect_json "(.frequencies_hz[0] / $frequency - 1 | fabs) < 0.002"
limber spectrum "$scratch/run" --channel tip.error.x --from 2.5 --json
expect_status 0
expect_json '.channel == "tip.error.x" and .unit == "m^2/Hz" and .window == "hann" and .samples == 1501 and (.resampled | not)'
expect_json '(.frequency_hz | length) == (.density | length) and (.peaks_hz | length) == (.peaks | length)'
expect_json "(.peaks_hz[0] / $frequency - 1 | fabs) < 0.001"
expect_json '((.density | add) * .frequency_hz[1] / .variance - 1 | fabs) < 1e-9'

# The band; words; what the report shows.
limber simulate models/flexible-2r.yaml --settle '0.3 mm'
expect_status 0
expect_out 'tip after the commands, from 2.5 s on'
expect_out 'amplitude +196.* µm along'
expect_out 'within 300 µm after 0 s'
limber simulate models/flexible-2r.yaml --settle '1 %' --json
expect_json '.residual.settling_time == null and .residual.band < 0.7e-4'
limber simulate models/flexible-2r.yaml --settle 3s
expect_status 2
expect_err "--settle is '3s', must be a positive share or length"
grep -q 'Residual vibration' "$scratch/run/report.html" || fail 'the report has no residual vibration'
limber simulate models/rotating-link.yaml --json
expect_json 'has("residual") | not'

# The same of a file, of a table, of words; files that are written.
limber spectrum "$scratch/run/result.h5" --channel tip.error.y --window blackman --segments 4 --overlap 0.25 --detrend linear --peaks 2
expect_status 0
expect_out 'tip.error.y: 4001 samples at 1000 Hz, 4 segments, blackman window'
expect_out 'peak +frequency \[Hz\] +amplitude +share'
for format in csv svg png pdf; do
  limber spectrum "$scratch/run/channels.csv" --channel shoulder.effort -o "$scratch/density.$format" --quiet
  expect_status 0
  expect_silent out
  [ -s "$scratch/density.$format" ] || fail "no $format"
done
[ "$(head -n 1 "$scratch/density.csv")" = 'frequency [Hz],density [(N m)^2/Hz]' ] || fail 'head of the table'
limber plot "$scratch/density.csv" density --log y -o "$scratch/again.svg"
expect_status 0
awk 'BEGIN { print "t [s],x"; for (i = 0; i < 2000; i++) printf "%.6f,%.12g\n", i / 1000, 2 * sin(6.283185307179586 * 33.21 * i / 1000) }' >"$scratch/sine.csv"
limber spectrum "$scratch/sine.csv" --channel x --json
expect_json '(.peaks_hz | length) == 1 and (.peaks_hz[0] - 33.21 | fabs) < 0.001 and (.peaks[0].amplitude - 2 | fabs) < 0.001 and .unit == "1/Hz"'

# Refusals. Nothing is written then.
refused() { # status, message, arguments...
  limber spectrum "${@:3}" -o "$scratch/no.svg"
  expect_status "$1"
  expect_err "$2"
  [ ! -e "$scratch/no.svg" ] || fail 'a figure was written'
}
here=$scratch/run
refused 2 "unknown channel 'tip.eror.y'; did you mean 'tip.error.y'\? .* has t, tip.position.x, " "$here" --channel tip.eror.y
refused 2 "'tip.error' is several channels; name one of them: tip.error.x, tip.error.y, tip.error.z" "$here" --channel tip.error
refused 2 'spectrum needs --channel NAME; .* has t, tip.position.x' "$here"
refused 2 "'t' is what the channels are recorded over" "$here" --channel t
refused 3 'there is no file or folder|cannot be read|has no result|No such file' nowhere --channel t
refused 2 "--window is 'round', must be hann, hamming, blackman, rectangular or flattop" "$here" --channel tip.error.y --window round
refused 2 "--detrend is 'all', must be none, mean or linear" "$here" --channel tip.error.y --detrend all
refused 2 "--segments is '0', must be a whole number from 1" "$here" --channel tip.error.y --segments 0
refused 2 "--overlap is '1', must be a number from 0 to 0.95" "$here" --channel tip.error.y --overlap 1
refused 2 'tip.error.y: 4001 samples in 1000 segments are too few' "$here" --channel tip.error.y --segments 1000
refused 2 'has nothing from 9 to inf' "$here" --channel tip.error.y --from 9
refused 2 'takes no --set' "$here" --channel tip.error.y --set a=b
refused 2 'no positive numbers' "$here" --channel tip.error.z
limber spectrum "$here" --channel tip.error.y -o "$scratch/no.jpg"
expect_status 2
expect_err 'must end with .csv, .svg, .png or .pdf'
limber spectrum
expect_status 2
expect_err 'spectrum needs a result: limber spectrum RESULT'
printf 't,x\n0,1\n1,\n2,3\n3,1\n4,1\n5,1\n6,1\n7,2\n8,1\n' >"$scratch/gap.csv"
limber spectrum "$scratch/gap.csv" --channel x
expect_status 2
expect_err 'x: the value at t = 1 s is not a number'

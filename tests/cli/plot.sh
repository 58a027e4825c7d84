# limber plot: figures of channels in three formats, comparisons, paths, tables; refusals.
limber simulate models/flexible-2r.yaml -o "$scratch/nonlinear" --quiet --set solver.duration=0.5
expect_status 0
limber simulate models/flexible-2r.yaml -o "$scratch/linear" --quiet --set solver.duration=0.5 --mode linear
expect_status 0

starts_with() { # file, text
  [ "$(head -c ${#2} "$1" | tr -d '\0')" = "$2" ] || fail "$1 does not start with $2"
}

limber plot "$scratch/nonlinear" tip.error -o "$scratch/error.svg"
expect_status 0
expect_silent out
expect_silent err
starts_with "$scratch/error.svg" '<?xml version="1.0"'
tail -n 1 "$scratch/error.svg" | grep -qx '</svg>' || fail "the SVG has no end"
[ "$(wc -c <"$scratch/error.svg")" -lt 100000 ] || fail "the SVG is large"
limber plot "$scratch/nonlinear/result.h5" tip.error -o "$scratch/error.png"
expect_status 0
starts_with "$scratch/error.png" "$(printf '\x89PNG')"
limber plot "$scratch/nonlinear" tip.error -o "$scratch/error.pdf"
expect_status 0
starts_with "$scratch/error.pdf" '%PDF-'

# The same command gives the same bytes.
for format in svg png pdf; do
  limber plot "$scratch/nonlinear" tip.error -o "$scratch/again.$format"
  cmp "$scratch/error.$format" "$scratch/again.$format" || fail "$format differs from call to call"
done

# Comparisons, paths, panels, ranges.
limber plot "$scratch/nonlinear" "$scratch/linear" tip.error.y energy.kinetic tip.error.y -o "$scratch/two.svg" --json
expect_status 0
expect_json '.results == ["nonlinear", "linear"] and .channels == ["tip.error.y", "energy.kinetic"] and .panels == 2'
limber plot "$scratch/nonlinear" tip.position tip.error energy -o "$scratch/units.svg" --json
expect_json '.panels == 3 and (.channels | length) == 12'
limber plot "$scratch/nonlinear" tip.position.y --against tip.position.x -o "$scratch/path.svg" --from 0.1 --to 0.4 --title 'A path' --size 60
expect_status 0
limber plot "$scratch/nonlinear" energy --stack -o "$scratch/stack.svg" --json --size 88x150 --quiet
expect_json '.panels == 6'

# Tables.
printf 'elements,error [%%],order\n1,10,\n2,2.5,2\n4,0.6,2.06\n' >"$scratch/table.csv"
limber plot "$scratch/table.csv" error --log xy -o "$scratch/table.svg"
expect_status 0
limber plot "$scratch/table.csv" error --against order -o "$scratch/table.svg"
expect_status 0
limber plot "$scratch/nonlinear/channels.csv" tip -o "$scratch/table.svg"
expect_status 0

# Refusals. Nothing is written then.
refused() { # status, message, arguments...
  rm -f "$scratch/no.svg"
  limber plot "${@:3}"
  expect_status "$1"
  expect_err "$2"
  [ ! -e "$scratch/no.svg" ] || fail "a figure was written"
}
here=$scratch/nonlinear
refused 2 "unknown channel 'tip.eror'; did you mean 'tip.error'\? .* has t, tip.position.x, " "$here" tip.eror -o "$scratch/no.svg"
refused 2 "unknown channel 'tip.z'; .* has t, " "$here" tip.error tip.z -o "$scratch/no.svg"
refused 2 "unknown channel 'shoulder.effor'; did you mean 'shoulder.effort'" "$here" tip.error --against shoulder.effor -o "$scratch/no.svg"
refused 2 'plot needs a channel; .* has t, tip.position.x' "$here" -o "$scratch/no.svg"
refused 2 'must end with .svg, .png or .pdf' "$here" tip -o "$scratch/no.jpg"
refused 2 'plot needs -o' "$here" tip
refused 2 'plot needs a result' -o "$scratch/no.svg"
refused 3 "there is no file or folder 'nowhere'" nowhere tip -o "$scratch/no.svg"
refused 3 "no file, folder or channel '.*/none'" "$here" "$scratch/none" tip -o "$scratch/no.svg"
refused 3 'cannot be written|No such file' "$here" tip -o "$scratch/none/no.svg"
refused 2 'has nothing from 3 to inf: it goes from 0 to 0.5' "$here" tip --from 3 -o "$scratch/no.svg"
limber simulate models/flexible-2r.yaml -o "$scratch/quasi-static" --quiet --set solver.duration=0.1 --mode quasi-static
refused 2 "'energy.kinetic' has no finite numbers" "$scratch/quasi-static" energy.kinetic -o "$scratch/no.svg"
refused 2 "positive numbers, as a logarithmic" "$here" tip.error.z --log y -o "$scratch/no.svg"
refused 2 "--size is '0x3', must be" "$here" tip --size 0x3 -o "$scratch/no.svg"
refused 2 "--log is 'z'" "$here" tip --log z -o "$scratch/no.svg"
refused 2 "--from is 'soon', must be a number" "$here" tip --from soon -o "$scratch/no.svg"
refused 2 '2 --label, but 1 result' "$here" tip --label a --label b -o "$scratch/no.svg"
printf 'x,y\n1,2\n3,four\n' >"$scratch/bad.csv"
refused 2 "bad.csv:3:.*error: 'four' is not a number" "$scratch/bad.csv" y -o "$scratch/no.svg"
printf '1,2\n3,4\n' >"$scratch/bad.csv"
refused 2 "the first row must name the columns" "$scratch/bad.csv" y -o "$scratch/no.svg"
printf 'x,y\n1,2,3\n' >"$scratch/bad.csv"
refused 2 'the number of cells differs' "$scratch/bad.csv" y -o "$scratch/no.svg"
printf 'x,y\n' >"$scratch/bad.csv"
refused 2 'has no rows' "$scratch/bad.csv" y -o "$scratch/no.svg"
mkdir "$scratch/empty"
refused 3 'has no result: there is no result.h5' "$scratch/empty" y -o "$scratch/no.svg"
head -c 3000 "$here/result.h5" >"$scratch/cut.h5"
refused 3 'cut.h5 is damaged' "$scratch/cut.h5" tip -o "$scratch/no.svg"
limber modes models/cantilever.yaml -o "$scratch/modes" --quiet
expect_status 0
refused 2 "is a result of 'modes' and has no channels" "$scratch/modes" tip -o "$scratch/no.svg"

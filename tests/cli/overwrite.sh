# -o never overwrites what is read: parts of results, models, and the files that models name.

mkdir "$scratch/g"
arm=$scratch/g/arm.yaml
printf 't, position\n0, 0\n1, 0.5\n' >"$scratch/g/move.csv"
write() { # table, in the folder of the model
  cat >"$arm" <<END_OF_MODEL
limber: 1
links: [{name: arm, body: {mass: 1, inertia: [1, 1, 1], tip: [1, 0, 0]}}]
motion: {arm: {profile: table, file: $1}}
solver: {duration: 0.02, step: 1 ms}
outputs: {channels: [arm.position]}
END_OF_MODEL
}
write move.csv
for r in a b; do
  limber simulate "$arm" -q -o "$scratch/$r"
  expect_status 0
done

state() { find "$scratch" -type f ! -name out ! -name err -exec cksum {} + | sort; }
refused() { # path of -o, command...
  local path=$1 before
  before=$(state)
  limber "${@:2}" -o "$path"
  expect_status 2
  expect_silent out
  expect_err_text "-o $path would overwrite what is read"
  [ "$before" = "$(state)" ] || fail "files are not what they were"
}

# Results: named by their folder or by a part, the first and others.
ln -s a "$scratch/link"
for part in result.h5 channels.csv summary.json; do
  refused "$scratch/a/$part" report "$scratch/a"
  refused "$scratch/a/$part" report "$scratch/a/"
  refused "$scratch/b/$part" report "$scratch/a" "$scratch/b"
  refused "$scratch/link/$part" report "$scratch/a/result.h5"
done
refused "$scratch/a/channels.csv" spectrum "$scratch/a" --channel arm.position
refused "$scratch/a/channels.csv" spectrum "$scratch/a/channels.csv" --channel arm.position
limber report "$scratch/a" -q -o "$scratch/a/page.html"
expect_status 0
limber report "$scratch/a" -q
expect_status 0

# Models and their tables: a file for the answer.
for c in check static modes inverse inertia ik; do
  refused "$scratch/g/move.csv" "$c" "$arm"
  refused "$arm" "$c" "$arm" --json
done
ln -s g/move.csv "$scratch/also.csv"
refused "$scratch/also.csv" check "$arm"
cp "$scratch/g/move.csv" "$scratch/g/other.csv"
refused "$scratch/g/other.csv" check "$arm" --set motion.arm.file=other.csv
limber check "$arm" -q -o "$scratch/g/other.csv"
expect_status 0

# Folders that are filled: each file in them.
for name in channels.csv report.html result.h5 summary.json; do
  cp "$scratch/g/move.csv" "$scratch/g/$name"
  write $name
  refused "$scratch/g" simulate "$arm"
  refused "$scratch/g/../g/" simulate "$arm"
done
for c in static modes; do refused "$scratch/g" "$c" "$arm"; done
for name in main.c README arm.c arm.h arm.h.part; do
  cp "$scratch/g/move.csv" "$scratch/g/$name"
  write $name
  refused "$scratch/g" generate "$arm"
done
write move.csv
limber simulate "$arm" -q -o "$scratch/g"
expect_status 0

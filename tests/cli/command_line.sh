# What every user meets first: version, help, mistakes in the command line; and where answers go.
version=$(awk '$2 == "LIM_VERSION" {gsub(/"/, "", $3); print $3}' include/limber/limber.h)

limber --version
expect_status 0
expect_out "^limber ${version//./\\.}\$"

for help in --help -h; do
  limber $help
  expect_status 0
  expect_silent err
  for command_name in check static modes schema; do expect_out "\\b$command_name\\b"; done
done

for command_name in check static modes schema; do
  limber $command_name --help
  expect_status 0
  expect_out "^limber $command_name"
  expect_out '^  -o, --output PATH '
done
limber modes --help
expect_out -- '--joints'
limber static --help
! grep -q -- --joints "$scratch/out" || fail "static offers an option that it does not have"

# --- mistakes ---

limber
expect_status 2
expect_silent out
expect_err "^limber: error: no command"

limber no-such-command models/cantilever.yaml
expect_status 2
expect_err no-such-command

limber chek models/cantilever.yaml
expect_status 2
expect_err "unknown command 'chek'; did you mean 'check'\?"

limber check models/cantilever.yaml --no-such-option
expect_status 2
expect_err no-such-option

limber check models/cantilever.yaml --jsn
expect_status 2
expect_err "did you mean '--json'\?"

limber check models/cantilever.yaml --joints free # an option of another command
expect_status 2
expect_err "unknown option '--joints'"

for option in -o --set; do
  limber check models/cantilever.yaml $option
  expect_status 2
  expect_err "$option needs "
done

limber check models/cantilever.yaml --json=yes
expect_status 2
expect_err "json takes no value"

limber check models/cantilever.yaml models/rod.yaml
expect_status 2
expect_err "unexpected argument 'models/rod.yaml'"

limber schema models/cantilever.yaml
expect_status 2
expect_err "unexpected argument"

limber check
expect_status 2
expect_silent out
expect_err "check needs a model file"

limber check "$scratch/no-such-file.yaml"
expect_status 3
expect_silent out
expect_err 'no-such-file\.yaml: error: '

limber check "$scratch" # a directory
expect_status 3
expect_silent out
expect_err .

limber check models/cantilever.yaml --set no.such.entry=1
expect_status 2
expect_err no

# --- where answers go ---

# Options may stand before the model, and a model may look like an option.
cp models/cantilever.yaml "$scratch/-model.yaml"
(cd "$scratch" && "$program" check --json -- -model.yaml >out 2>err) || fail "a model called -model.yaml"
limber check --json models/cantilever.yaml
expect_json '.links == 1'

limber check models/cantilever.yaml --json
cp "$scratch/out" "$scratch/expected"
for option in "-o $scratch/answer" "-o$scratch/answer" "--output $scratch/answer" "--output=$scratch/answer"; do
  rm -f "$scratch/answer"
  # shellcheck disable=SC2086
  limber check models/cantilever.yaml --json $option
  expect_status 0
  expect_silent out
  expect_silent err
  cmp -s "$scratch/answer" "$scratch/expected" || fail "$option has another answer"
done

# Whole or not at all: an answer that fails leaves the old file, and nothing beside it.
mkdir "$scratch/results"
echo old >"$scratch/results/answer"
limber check models/cantilever.yaml -o "$scratch/results/answer" --set links.arm.beam.length=-1
expect_status 2
[ "$(cat "$scratch/results/answer")" = old ] || fail "a failed command wrote its answer"
limber check models/cantilever.yaml -o "$scratch/results/answer"
expect_status 0
grep -q '^valid: ' "$scratch/results/answer" || fail "the answer was not replaced"
[ "$(ls -A "$scratch/results")" = answer ] || fail "something else was left behind"
limber check models/cantilever.yaml -o "$scratch/no-such-folder/answer"
expect_status 3
expect_err 'no-such-folder/answer: error: cannot be written: No such file'
limber check models/cantilever.yaml -o "$scratch/results"
expect_status 3
expect_err 'results: error: cannot be written: Is a directory'

# A file keeps its permissions; a link or a pipe is written to, never replaced.
chmod 600 "$scratch/results/answer"
limber check models/cantilever.yaml -o "$scratch/results/answer"
[ "$(stat -c %a "$scratch/results/answer")" = 600 ] || fail "permissions changed"
ln -s "$scratch/elsewhere" "$scratch/link"
limber check models/cantilever.yaml -o "$scratch/link"
expect_status 0
grep -q '^valid: ' "$scratch/elsewhere" || fail "the answer went astray"
[ -L "$scratch/link" ] || fail "a link was replaced"
mkfifo "$scratch/pipe"
timeout 10 cat "$scratch/pipe" >"$scratch/piped" &
limber check models/cantilever.yaml -o "$scratch/pipe"
wait $!
grep -q '^valid: ' "$scratch/piped" || fail "the answer did not go through the pipe"

# Quiet: nothing on standard output, but JSON and files are answers, and errors are errors.
for option in -q --quiet; do
  for question in check static modes; do
    limber $question models/cantilever.yaml $option
    expect_status 0
    expect_silent out
    expect_silent err
  done
done
limber check models/cantilever.yaml --quiet --json
expect_json '.links == 1'
limber check models/cantilever.yaml --quiet -o "$scratch/quiet"
grep -q '^valid: ' "$scratch/quiet" || fail "quiet silenced the file"
limber check models/cantilever.yaml --quiet --set no.such.entry=1
expect_status 2
expect_err .

# A reader that goes away ends the program without a word; a full disk is an error.
{ "$program" schema 2>"$scratch/err" || true; } | head -n 1 >/dev/null
command="schema | head -n 1"
expect_silent err
if [ -c /dev/full ]; then
  status=0
  "$program" schema >/dev/full 2>"$scratch/err" || status=$?
  command="schema >/dev/full"
  expect_status 3
  expect_err 'No space left'
fi

# Links: a planted part is not followed; -o onto a link replaces the file behind it, whole or not at all.
mkdir "$scratch/planted"
echo precious > "$scratch/victim"
for name in result.h5 channels.csv summary.json; do ln -s ../victim "$scratch/planted/$name.part"; done
limber simulate models/rotating-link.yaml --set solver.duration=0.01 -q -o "$scratch/planted"
expect_status 0
[ "$(cat "$scratch/victim")" = precious ] || fail "a planted link was followed"
for name in result.h5 channels.csv summary.json; do
  [ -f "$scratch/planted/$name" ] && [ ! -L "$scratch/planted/$name" ] || fail "$name is a link"
done
ln -s victim "$scratch/link.json"
limber check models/cantilever.yaml --json -o "$scratch/link.json"
expect_status 0
[ -L "$scratch/link.json" ] || fail "the link is gone"
jq -e .mass "$scratch/victim" >/dev/null || fail "what the link leads to was not replaced"

# Pipes: one that nobody writes to is empty, one that somebody writes to is a model file.
mkfifo "$scratch/pipe.yaml"
limber check "$scratch/pipe.yaml"
expect_status 2
limber check <(cat models/cantilever.yaml)
expect_status 0
(
  exec 9<>"$scratch/pipe.yaml"
  cat models/cantilever.yaml >&9
  touch "$scratch/full"
  sleep 0.5
) &
while [ ! -e "$scratch/full" ]; do sleep 0.05; done
limber static "$scratch/pipe.yaml" -o "$scratch/piped-result" # looks at the model file twice
expect_status 0

# Every model in tests/broken/ is refused, with exactly the messages that it says after "# expect: ", in their order:
#   # expect: 5:12: error: ...      at a line and column of the file
#   # expect: error: ...            about the file as a whole
#   # expect: --set PATH: error: ... about an override, given by "# set: PATH=VALUE"
# Files in which no comment can stand have them in a file beside them, with the ending .expect.

# Nothing may hang: so many seconds of processor time are allowed, more where sanitizers slow the program down.
limit=2 exceeded=$((128 + $(kill -l XCPU)))
! grep -q __asan_init "$program" || limit=20

refused_in_time() { # arguments of check
  command="check $*" status=0
  (ulimit -S -t $limit && exec "$program" check "$@" >"$scratch/out" 2>"$scratch/err" </dev/null) || status=$?
  [ "$status" -ne $exceeded ] || fail "did not end within $limit s of processor time"
  expect_status 2
  expect_silent out
}

# What a model expects, as the program prints it, in $expected; the overrides in $sets. No process but the program's for each
# model: they are many.
read_model() { # model
  local beside=${1%.yaml}.expect line
  sets=() expected=
  [ -e "$beside" ] || beside=$1
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%$'\r'}
    case $line in
    '# set: '*) sets+=("--set=${line#\# set: }") ;;
    '# expect: '[0-9]*) expected+="$1:${line#\# expect: }"$'\n' ;;
    '# expect: error: '*) expected+="$1: ${line#\# expect: }"$'\n' ;;
    '# expect: '*) expected+="${line#\# expect: }"$'\n' ;;
    esac
  done <"$beside"
}

expect_messages() { # messages, with the end of each line
  local said
  ! IFS= read -r -d '' said <"$scratch/err" || fail 'a zero byte in the messages'
  [ "$1" = "$said" ] || fail "expected other messages: $1"
}

shopt -s nullglob
models=(tests/broken/*.yaml)
[ ${#models[@]} -ge 80 ] || fail "only ${#models[@]} models in tests/broken/"
for model in "${models[@]}"; do
  read_model "$model"
  [ -n "$expected" ] || fail "$model expects nothing"
  refused_in_time "$model" "${sets[@]}"
  expect_messages "$expected"
done

# --- files too large to keep: made here

refuse() { # message, with FILE for the path; the model is $scratch/model.yaml
  refused_in_time "$scratch/model.yaml"
  expect_messages "${1//FILE/$scratch/model.yaml}"$'\n'
}

repeat() { # count, text
  awk -v n="$1" -v text="$2" 'BEGIN {for (i = 0; i < n; i++) printf "%s", text}'
}

write() { cat >"$scratch/model.yaml"; } # the model, from standard input

too_large='FILE: error: the file is larger than 4 MiB, more than any model needs'
truncate -s 100M "$scratch/model.yaml"
refuse "$too_large"
head -c 100M /dev/zero | tr '\0' a | write
refuse "$too_large"

repeat 10000 '[' | write
refuse 'FILE:1:33: error: nested more than 32 deep'
repeat 10000 '{a: ' | write
refuse 'FILE:1:129: error: nested more than 32 deep'
repeat 10000 '- ' | write
refuse 'FILE:1:65: error: nested more than 32 deep'
awk 'BEGIN {for (i = 0; i < 2000; i++) printf "%*sa:\n", i, ""}' | write
refuse 'FILE:33:33: error: nested more than 32 deep'

awk 'BEGIN {
  print "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"
  for (i = 1; i < 20; i++) {
    printf "a%d: &a%d [", i, i
    for (k = 0; k < 10; k++) printf "*a%d, ", i - 1
    print "1]"
  }
}' | write
refuse 'FILE:6:11: error: the file has more than 200000 entries, more than any model needs'

{ printf 'limber: 1\nlinks:\n'; repeat 800000 '- {}
'; } | write
refuse 'FILE:199998:3: error: the file has more than 200000 entries, more than any model needs'
{ printf 'limber: 1\nlinks:\n'; awk 'BEGIN {for (i = 0; i < 5000; i++) print "- {name: a" i "}"}'; } | write
refuse 'FILE:3:1: error: links has 5000 entries, must have at most 4096'
{ printf 'limber: 1\nlinks: [{name: arm}]\nmaterials:\n'
  awk 'BEGIN {for (i = 0; i < 5000; i++) print "  m" i ": {E: 1, rho: 1}"}'; } | write
refuse 'FILE:4100:3: error: a mapping may have at most 4096 entries'
{ printf 'limber: 1\nx: ['; awk 'BEGIN {for (i = 0; i < 1000; i++) printf "&a%d 1, ", i}'; echo '1]'; } | write
refuse 'FILE:2:2205: error: more than 256 anchors'
{ printf '!<'; repeat 3000000 a; } | write
refuse "FILE:1:1: error: '!' begins a tag without end"
{ printf 'limber: 1\nname: "'; repeat 1000000 '\n'; } | write
refuse 'FILE:2:8: error: not valid YAML: double-quoted scalar without closing quote'

# Thousands of slips in a file of thousands of links: the first hundred are named.
{ printf 'limber: 1\nlinks:\n'
  awk 'BEGIN {for (i = 0; i < 4096; i++) print "- {name: a_link_with_a_long_name_" i "}"}'
  echo 'loads:'
  awk 'BEGIN {for (i = 0; i < 4096; i++) print "- {at: a_link_with_a_logn_name_" i ".tpi, force: [0, 0, 1]}"}'; } | write
refused_in_time "$scratch/model.yaml"
expect_err_text 'limber: 3996 more errors'

# --- files that cannot be read

for path in "$scratch" "$scratch/no-such-file.yaml" "$scratch/out/below-a-file.yaml"; do
  limber check "$path"
  expect_status 3
  expect_silent out
  expect_err "^$path: error: (cannot be read|is a directory)"
done
limber check /dev/zero
expect_status 2
expect_err 'larger than 4 MiB'

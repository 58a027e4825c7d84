# limber generate --fmu: archives that are whole, valid and the same every time, and functions that bear wrong calls.
reference() { # description, variable
  sed -n "s/.* name=\"$2\" valueReference=\"\([0-9]*\)\".*/\1/p" "$1"
}

for version in 2 3; do
  limber generate models/prototype.yaml --fmu $version -o "$scratch/arm.fmu"
  expect_status 0
  expect_silent err
  expect_out "^written to .*arm.fmu: FMI $version.0, model exchange and co-simulation$"
  folder=$scratch/fmu$version
  mkdir "$folder"
  unzip -q "$scratch/arm.fmu" -d "$folder" || fail 'the archive cannot be unpacked'
  binary=$(echo "$folder"/binaries/*/prototype.so)
  [ -s "$binary" ] || fail 'there is no binary'
  needed=$(readelf -d "$binary" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
  [ "$needed" = 'libc.so.6 libm.so.6 ' ] || fail "the binary needs $needed"
  exported=$(nm -D --defined-only "$binary" | awk '{print $3}' | grep -v "^fmi$version") && fail "the binary exports $exported"

  # The same bytes again, at another time, in another zone.
  TZ=Asia/Tokyo limber generate models/prototype.yaml --fmu $version -o "$scratch/again.fmu" --json
  expect_status 0
  expect_json '.name == "prototype"'
  cmp "$scratch/arm.fmu" "$scratch/again.fmu" || fail 'the archive differs from run to run'

  # Another model has another token.
  description=$folder/modelDescription.xml
  token=$(sed -n 's/.* \(guid\|instantiationToken\)="\([^"]*\)".*/\2/p' "$description")
  limber generate models/prototype.yaml --fmu $version --no-binary -o "$scratch/other.fmu" --set links.fore.beam.length='0.5 m'
  expect_status 0
  unzip -l "$scratch/other.fmu" | grep -q binaries && fail '--no-binary has a binary'
  unzip -p "$scratch/other.fmu" modelDescription.xml | grep -qF "$token" && fail 'two models have one token'

  # Every value reference once, in order.
  count=$(grep -c ' valueReference="[0-9]*" description' "$description")
  sed -n 's/.* valueReference="\([0-9]*\)" description.*/\1/p' "$description" | cmp - <(seq 0 $((count - 1))) ||
    fail 'value references are not counted through'
  [ -z "$(sed -n 's/.* name="\([^"]*\)" valueReference.*/\1/p' "$description" | sort | uniq -d)" ] || fail 'a name stands twice'

  # The sources are clean C99 under names of their own, and wrong calls neither crash nor leak.
  cc -std=c99 -Wall -Wextra -Werror -pedantic -O1 -c "$folder/sources/all.c" -o "$scratch/all.o" || fail 'the sources do not compile'
  nm -g --defined-only "$scratch/all.o" | awk '{print $3}' | grep -qv '^prototype_' && fail 'a name lacks the prefix'
  cc -std=c99 -Wall -Wextra -Werror -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
    -DFMI${version}_OVERRIDE_FUNCTION_PREFIX -I"$folder/sources" "tests/fmu/calls$version.c" "$folder/sources/all.c" \
    -o "$scratch/calls" -lm || fail 'the driver does not compile'
  "$scratch/calls" "$token" "$(reference "$description" shoulder.effort_input)" "$(reference "$description" tip.position.x)" \
    "$count" || fail 'calls give the wrong status'
done

# The macros of the standard: a switch, and the prefix that it asks for. Another prefix than the model's, or none.
prefixed() { # macros, expected name
  cc -std=c99 -O0 $1 -E "$scratch/fmu3/sources/all.c" | grep -w "$2" >/dev/null || fail "$1 gives no $2"
}
prefixed -DFMI3_OVERRIDE_FUNCTION_PREFIX fmi3GetVersion
prefixed '-DFMI3_OVERRIDE_FUNCTION_PREFIX -DFMI3_ACTUAL_FUNCTION_PREFIX=other_' other_fmi3GetVersion
prefixed '' prototype_fmi3GetVersion

# Any name of a model file: names of files inside, words of C and its headers, none that C allows.
for name in model instance fmi3 fmu main README limber int math 3r; do
  cp models/emats-controller.yaml "$scratch/$name.yaml"
  limber generate "$scratch/$name.yaml" --fmu 3 --no-binary -o "$scratch/name.fmu"
  expect_status 0
  rm -rf "$scratch/name"
  unzip -q "$scratch/name.fmu" -d "$scratch/name"
  cc -std=c99 -Wall -Wextra -Werror -pedantic -O0 -fsyntax-only -I"$scratch/name/sources" "$scratch/name/sources/all.c" ||
    fail "an FMU of $name.yaml does not compile"
done

# What it needs, and what it refuses.
limber generate models/prototype.yaml --fmu 4 -o "$scratch/no.fmu"
expect_status 2
expect_err_text "--fmu is '4', must be 2 or 3"
limber generate models/prototype.yaml --fmu 2
expect_status 2
expect_err_text 'an FMU needs a file that ends with .fmu: -o FILE.fmu'
limber generate models/prototype.yaml --no-binary -o "$scratch/no"
expect_status 2
expect_err_text '--no-binary is for FMUs'
limber generate models/elastic-joint.yaml --fmu 3 -o "$scratch/no.fmu"
expect_status 2
expect_err_text 'friction that sticks'
limber generate models/prototype.yaml --fmu 3 -o "$scratch/missing/no.fmu"
expect_status 3
expect_err_text 'cannot be written'
PATH=$scratch limber generate models/prototype.yaml --fmu 3 -o "$scratch/no.fmu"
expect_status 1
expect_err_text 'the binary of an FMU needs a C compiler, and there is no cc; --no-binary leaves the binary out'
[ ! -e "$scratch/no.fmu" ] || fail 'what failed leaves a file'

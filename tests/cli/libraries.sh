# Which shared libraries are loaded, and when: HDF5, cairo, libzip, Lua, MUMPS and ARPACK only by what needs them; and what is said where
# one of them is not there.
tests=$(dirname "$program")/tests
result=$scratch/result

# Names of the libraries that a command of its own, or the program, loads, without those of sanitizers.
loaded() { # command...
  rm -f "$scratch"/files.*
  status=0
  command=$*
  LD_DEBUG=files LD_DEBUG_OUTPUT=$scratch/files "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  expect_status 0
  sed -n 's/.*file=\([^ ]*\) .*generating link map.*/\1/p' "$scratch"/files.* | sed 's|.*/||' | sort -u |
    grep -vE '^lib([at]san|ubsan|lsan|stdc\+\+|clang_rt)' >"$scratch/loaded"
  cat "$scratch/loaded" >>"$scratch/known"
}
expect_loaded() { grep -qE "^$1" "$scratch/loaded" || fail "$1 is not loaded"; }
expect_none() { # of these, separated by |
  ! grep -E "^($1)" "$scratch/loaded" >"$scratch/out" || fail "something is loaded that is not needed"
}
fewer_than() { [ "$(wc -l <"$scratch/loaded")" -lt "$1" ] || { cp "$scratch/loaded" "$scratch/out"; fail "more than $1 libraries"; }; }
all='libhdf5|libcairo|libzip|liblua|libdmumps|libarpack|libcurl|libX11|libfontconfig'

# A program that steps an arm, and answers without files. 11 of Debian 12: the C library with its loader and libm,
# libfyaml, OpenBLAS with the two or three libraries of Fortran, zlib, CVODE, IDA; and liblimber itself. The bound leaves
# room for systems that cut these otherwise; HDF5 alone would bring 30.
for example in torque reach payload; do
  loaded "$tests/example_$example"
  expect_none "$all"
  fewer_than 20
done
loaded "$program" --version
expect_none "$all"
fewer_than 20
for word in check static modes simulate; do
  loaded "$program" $word models/flexible-2r.yaml --set solver.duration=0.01
  expect_none "$all"
  fewer_than 20
done

# Each where it is needed, and no other.
loaded "$program" check models/pick-and-place.yaml
expect_loaded liblua
expect_none 'libhdf5|libcairo|libzip'
loaded "$program" simulate models/flexible-2r.yaml --set solver.duration=0.01 -q -o "$result"
expect_loaded libhdf5
expect_none 'libcairo|libzip|liblua'
loaded "$program" plot "$result" tip.position.x -o "$scratch/figure.svg"
expect_loaded libcairo
expect_none 'libzip|liblua'
loaded "$program" generate models/rotating-link.yaml --fmu 2 --no-binary -q -o "$scratch/arm.fmu"
expect_loaded libzip
expect_none 'libhdf5|libcairo|liblua'

# A file of the same name that is no library stands for one that is not there.
without() { # library, its name in messages, arguments of the program...
  local name=$1 said=$2
  shift 2
  mkdir -p "$scratch/$name"
  : >"$scratch/$name/$(grep -m 1 "^$name" "$scratch/known")"
  LD_LIBRARY_PATH=$scratch/$name limber "$@"
  expect_status 3
  expect_err_text "error: $said cannot be loaded: "
}
without liblua Lua check models/pick-and-place.yaml
without libhdf5 HDF5 simulate models/flexible-2r.yaml --set solver.duration=0.01 -q -o "$scratch/none"
without libhdf5 HDF5 static models/flexible-2r.yaml -q -o "$scratch/none"
without libhdf5 HDF5 report "$result"
without libcairo cairo plot "$result" tip.position.x -o "$scratch/other.svg"
without libzip libzip generate models/rotating-link.yaml --fmu 2 --no-binary -q -o "$scratch/other.fmu"
[ ! -e "$scratch/other.svg" ] && [ ! -e "$scratch/other.fmu" ] || fail "a file was left"
LD_LIBRARY_PATH=$scratch/liblua:$scratch/libhdf5:$scratch/libcairo:$scratch/libzip limber simulate models/flexible-2r.yaml \
  --set solver.duration=0.01 --json
expect_status 0
expect_json '.status == "done"'

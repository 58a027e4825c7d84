#!/usr/bin/env bash
# run.sh PROGRAM CASE.sh - run one test of the command line from the root of the repository. A case is a bash script
# that calls the functions below; the first expectation that does not hold ends it.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { # message
  printf 'FAILED: %s\n$ limber %s\nstatus %s\n' "$1" "${command:-}" "${status:-}"
  for stream in out err; do printf -- '--- standard %s\n%s\n' $stream "$(head -n 40 "$scratch/$stream")"; done
  exit 1
}

# Run the program; its status is in $status, its output in $scratch/out and $scratch/err.
limber() { # arguments...
  command=$*
  status=0
  "$program" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
}

expect_status() { [ "$status" -eq "$1" ] || fail "status is $status, expected $1"; }
expect_out() { grep -qE -- "$1" "$scratch/out" || fail "standard output lacks: $1"; }
expect_err() { grep -qE -- "$1" "$scratch/err" || fail "standard error lacks: $1"; }
expect_err_text() { grep -qF -- "$1" "$scratch/err" || fail "standard error lacks: $1"; }
expect_silent() { [ ! -s "$scratch/$1" ] || fail "standard $1 is not empty"; } # out | err
expect_json() { # jq filter that must hold for the one object on standard output; every answer lists its warnings
  jq -es "length == 1 and (.[0] | (has(\"\$schema\") or (.warnings | type == \"array\")) and ($1))" "$scratch/out" >/dev/null || fail "JSON on standard output: not $1"
}

# shellcheck source=/dev/null
source "$2"

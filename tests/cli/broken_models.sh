# Every model in tests/broken/ is refused with a place and, where it says so, with its "# expect: " messages.
shopt -s nullglob
models=(tests/broken/*.yaml)
[ ${#models[@]} -gt 0 ] || { echo "no models in tests/broken/"; exit 1; }

for model in "${models[@]}"; do
  limber check "$model"
  expect_status 2
  expect_silent out
  expect_err "^${model//./\\.}:[0-9]+:[0-9]+: error: "
  while read -r message; do
    expect_err_text "$message"
  done < <(sed -n 's/^# expect: //p' "$model")
done

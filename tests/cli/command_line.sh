# What every user meets first: version, help, mistakes in the command line.
version=$(awk '$2 == "LIM_VERSION" {gsub(/"/, "", $3); print $3}' include/limber/limber.h)

limber --version
expect_status 0
expect_out "^limber ${version//./\\.}\$"

limber --help
expect_status 0
for command_name in check static modes schema; do expect_out "\\b$command_name\\b"; done

for command_name in check static modes schema; do
  limber $command_name --help
  expect_status 0
  expect_out "$command_name"
done

limber
expect_status 2
expect_silent out
expect_err .

limber no-such-command models/cantilever.yaml
expect_status 2
expect_err no-such-command

limber check models/cantilever.yaml --no-such-option
expect_status 2
expect_err no-such-option

limber check
expect_status 2
expect_silent out
expect_err .

limber check "$scratch/no-such-file.yaml"
expect_status 3
expect_silent out
expect_err no-such-file.yaml

limber check models/cantilever.yaml --set no.such.entry=1
expect_status 2
expect_err no

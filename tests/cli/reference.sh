# docs/reference/model.md and units.md are what the program writes, and the JSON Schema is JSON.
limber schema --markdown
expect_status 0
diff -u docs/reference/model.md "$scratch/out" || fail "docs/reference/model.md is out of date: run make docs-reference"

limber schema --units
expect_status 0
diff -u docs/reference/units.md "$scratch/out" || fail "docs/reference/units.md is out of date: run make docs-reference"

limber schema
expect_status 0
expect_json 'has("$schema")'

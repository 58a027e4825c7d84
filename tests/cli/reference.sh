# docs/reference/model.md is what the program writes, and the JSON Schema is JSON.
limber schema --markdown
expect_status 0
diff -u docs/reference/model.md "$scratch/out" || fail "docs/reference/model.md is out of date: run make docs-reference"

limber schema
expect_status 0
expect_json 'has("$schema")'

# The first example answers every command, in words and as one JSON object.
for question in check static modes; do
  limber $question models/cantilever.yaml
  expect_status 0
  expect_out .

  limber $question models/cantilever.yaml --json
  expect_status 0
  expect_silent err
  expect_json 'type == "object"'
done

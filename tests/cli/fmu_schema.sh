# The descriptions of FMUs against the schemas of the standard. LIMBER_FMI_SCHEMAS names a folder with fmi2 and fmi3, which
# hold the .xsd files that the Modelica Association publishes; without it the test is skipped.
if [ ! -d "${LIMBER_FMI_SCHEMAS:-}" ]; then
  echo 'SKIPPED: LIMBER_FMI_SCHEMAS does not name a folder with the schemas of FMI'
  exit 77
fi

valid() { # schema, file
  xmllint --noout --schema "$LIMBER_FMI_SCHEMAS/$1" "$2" || fail "$2 is not valid by $1"
}

# Motors, closed loops, given joints and tables, kept numbers.
for model in prototype four-bar six-axis kept; do
  options=()
  [ $model = kept ] && model=strip-two-link options=(--keep links.fore.masses.payload.mass
    --set 'links.upper.basis={type: modes, count: 2}' --set 'links.fore.basis={type: modes, count: 2}')
  for version in 2 3; do
    limber generate "models/$model.yaml" --fmu $version --no-binary -o "$scratch/arm.fmu" "${options[@]}"
    expect_status 0
    unzip -qo "$scratch/arm.fmu" -d "$scratch/fmu$version"
    valid fmi$version/fmi${version}ModelDescription.xsd "$scratch/fmu$version/modelDescription.xml"
    [ $version = 2 ] || valid fmi3/fmi3BuildDescription.xsd "$scratch/fmu3/sources/buildDescription.xml"
  done
done

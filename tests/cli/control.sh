# Controllers in Lua: what is wrong with one is said with its file and line, within a second.

model() { # text of the controller
  printf '%s\n' "$1" >"$scratch/law.lua"
  cat >"$scratch/arm.yaml" <<'END'
limber: 1
links: [{name: arm, body: {mass: 1, com: [0.1, 0, 0]}}]
drives: {arm: {type: motor, motor: {ratio: 10}, control: {type: lua, file: law.lua, rate: 1 kHz}}}
solver: {duration: 10 ms, step: 1 ms}
END
}

refuse() { # text of the controller, message
  model "$1"
  limber simulate "$scratch/arm.yaml"
  expect_status 2
  expect_err "law.lua$2"
}

model 'function control(t, joint) return -joint.position - 0.1 * joint.motor_velocity end'
limber simulate "$scratch/arm.yaml"
expect_status 0

refuse 'function control(t, joint) return joint.position' ":2: error: .*'end' expected"
refuse 'x = 1' ": error: there is no function 'control"
refuse 'function control(t, joint) return "much" .. 1 .. {} end' ':1: error: attempt to concatenate'
refuse 'function control() return nil end' ': error: control gives a nil, must give a number'
refuse 'function control() return 0/0 end' ': error: control gives -?nan, must give a finite torque'
refuse 'function control() while true do end end' ':1: error: more than 1e\+06 instructions'
refuse 'while true do end' ':1: error: more than 1e\+06 instructions'
refuse 'function control() local x = {} for i = 1, 1e9 do x[i] = {i} end end' ':1: error: '
refuse 'function control(t, joint)
  if t > 0.0045 then return joint.speed * 2 end
  return 0
end' ":2: error: attempt to perform arithmetic on a nil value"
refuse 'function control() return io.open("x") end' ":1: error: attempt to index a nil value"

model 'x = 1'
rm "$scratch/law.lua"
limber simulate "$scratch/arm.yaml"
expect_status 3
expect_err 'law.lua: error: cannot be read'
mkfifo "$scratch/law.lua" # nobody waits for its other end
limber simulate "$scratch/arm.yaml"
expect_status 3
expect_err 'law.lua: error: is a pipe or device, not a program'

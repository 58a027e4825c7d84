-- A PD controller that counts its calls.
local calls = 0
function control(t, joint)
  calls = calls + 1
  assert(math.abs(t - (calls - 1) / 100) < 1e-9)
  return 0.4 * (joint.reference - joint.position) - 6e-4 * joint.motor_velocity
end

-- delta-pick.lua: the cycle by which pick-and-place robots are compared, 25 mm up, 305 mm across, 25 mm down, there and back, with a part
-- of 200 g on the way there. For models/delta.yaml: limber simulate models/delta.yaml --set motion={} --set program=delta-pick.lua

local left, right = -0.1525, 0.1525                   -- m
local low, high = -0.70, -0.675

speed{joint = 20, linear = 2.5}                       -- rad/s, m/s
accel{joint = 50, linear = 25}                       -- rad/s^2, m/s^2

local function over(x)                                -- up, across and down, round the corners without a stop
  movel{z = high, blend = 0.02}
  movel{x = x, blend = 0.02}
  movel{z = low}
end

movej{pose = {left, 0, low}}
wait(0.02)
local began = now()
grip{name = "part", mass = 0.2}
over(right)
wait(0.02)
release("part")
over(left)
print(string.format("a cycle takes %.3f s", now() - began))

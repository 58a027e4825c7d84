-- pick-and-place.lua: two parts of 2 kg go from one side of the table to the other, over a wall between them.

local part = {mass = 2, size = 0.08}                  -- kg, m: a cube
local inertia = part.mass * part.size ^ 2 / 6
local lift = 0.25                                     -- how high above the table, m

speed{joint = 2, linear = 0.6}                        -- rad/s, m/s
accel{joint = 8, linear = 2}                          -- rad/s^2, m/s^2
frame("table")                                        -- where x, y, z are counted from
shape{type = "zvd", mode = {1, 2}}                    -- no move may leave the arm swinging, with or without a part

local function above(x, y) movel{x = x, y = y, z = lift, orientation = "free"} end
local function down(x, y) movel{x = x, y = y, z = 0} end

local function carry(from, to)
  above(from[1], from[2])
  down(from[1], from[2])
  wait(0.3)
  grip{name = "cube", mass = part.mass, inertia = {inertia, inertia, inertia}}
  movel{z = lift, blend = 0.1}                        -- up, round the corner without a stop,
  movel{x = (from[1] + to[1]) / 2 + 0.1, y = 0, z = lift, blend = 0.1}
  movel{x = to[1], y = to[2], z = lift, blend = 0.1}  -- over the wall,
  down(to[1], to[2])                                  -- and down
  wait(0.3)
  release("cube")
  print(string.format("a cube stands at %.2f, %.2f after %.2f s", to[1], to[2], now()))
end

local start = joints()
for i = 1, 2 do
  local x = 0.1 * (i - 1)
  carry({x, -0.4}, {x, 0.4})
end
movel{z = lift}
movej(start)

-- cast-arm.lua: down to a part of 5 kg, up with it, a quarter turn, down; then up without it.

local height = 0.15                                   -- of a lift, m
speed{joint = 2.8, linear = 1}                        -- rad/s, m/s
accel{joint = 25, linear = 10}                        -- rad/s^2, m/s^2

local start = joints()
local top = pose().z
local function down() movel{z = top - height, orientation = "keep"} end
local function up() movel{z = top, orientation = "keep"} end

down()
grip{name = "part", mass = 5, inertia = {0.01, 0.01, 0.01}, xyz = {0.05, 0, 0}}
up()
movej{slew = start.slew + math.pi / 2}
down()
release("part")
up()
print(string.format("done after %.3f s", now()))

local x
x.y = 1

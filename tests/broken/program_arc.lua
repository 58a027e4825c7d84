local p = pose()
movec{via = {p.x + 0.1, p.y, 0}, to = {p.x + 0.2, p.y, 0}}

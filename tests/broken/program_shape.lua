shape{type = "zvdd", mode = 1}

wait(-1)

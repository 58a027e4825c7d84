movej{elbwo = 1}

movej{shoulder = 2.5}

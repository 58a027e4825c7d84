movej{elbow = 0/0}

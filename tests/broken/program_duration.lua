movej{elbow = 1.8, duration = 0.2}

movej{elbow = "far"}

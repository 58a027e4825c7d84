movej{elbow = 1}
movej{elbow = }

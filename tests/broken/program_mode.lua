shape{mode = 1}
movej{elbow = 1}

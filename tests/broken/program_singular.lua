movej{elbow = 0}
movel{x = 0.5}

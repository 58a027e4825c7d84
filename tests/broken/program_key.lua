movel{x = 0.5, ry = 0.2}

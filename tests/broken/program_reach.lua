movel{x = 0.5, y = 0.5}
movel{x = 2}

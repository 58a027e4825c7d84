movel{z = 0.1}

grip{mass = 1}
grip{mass = 1}

speed{joint = 0}

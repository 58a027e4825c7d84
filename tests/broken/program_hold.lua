hold("shoulder", "elbwo")

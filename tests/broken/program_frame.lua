tool("tipp")

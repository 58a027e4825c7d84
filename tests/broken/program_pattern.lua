local s = string.rep("a", 10000)
print(s:find(".-.-.-.-b"))

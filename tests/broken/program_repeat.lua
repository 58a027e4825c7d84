local s = ("")
print(s:rep(1000000000000))

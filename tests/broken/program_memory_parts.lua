local list = nil
while true do
  list = {list, {1, 2, 3, 4}}
end

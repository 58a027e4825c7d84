table.insert(setmetatable({}, {__len = function() return 1e15 end}), 1, 0)

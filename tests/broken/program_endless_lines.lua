while true do
  movel{x = 0.5, y = 0.5}
  movel{x = 0.6, y = 0.4, blend = 0.01}
end

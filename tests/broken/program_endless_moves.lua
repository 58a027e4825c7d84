while true do
  movej{elbow = 1}
  movej{elbow = 0.5}
end

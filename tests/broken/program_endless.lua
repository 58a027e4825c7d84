print("begins")
while true do
end

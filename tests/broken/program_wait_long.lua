wait(1e308)
wait(1e308)

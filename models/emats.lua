-- 0.2 m straight ahead in 4 s; the slides stay, six joints move the tool and keep it from turning.
hold("j7", "j8")
movel{x = 4.5295, duration = 4}

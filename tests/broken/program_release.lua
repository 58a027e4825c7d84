release()

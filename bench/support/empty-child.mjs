process.send("here")

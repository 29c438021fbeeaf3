process.exit(2)

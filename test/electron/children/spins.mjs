// Never answers, never yields, and does not mind being asked to end.
process.on("SIGTERM", () => undefined)
for (;;);

// Runs `git` under supervision, for callers that can only specify a program and one argument.
process.argv.splice(2, 0, "git");
await import("./supervise.mjs");

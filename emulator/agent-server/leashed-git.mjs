// `git` on the leash, for callers that can name a program and one argument but no more.
process.argv.splice(2, 0, "git");
await import("./leash.mjs");

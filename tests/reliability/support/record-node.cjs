"use strict";
// Preloaded by every Node process of a run. Records the version of Node and the program.
const { appendFileSync } = require("node:fs");

const runs = process.argv[1] ?? process.execArgv.join(" ");
appendFileSync(process.env.RECORD_FILE, `${JSON.stringify({ version: process.versions.node, runs })}\n`);

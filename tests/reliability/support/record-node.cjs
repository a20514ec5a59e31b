"use strict";
// Preloaded by every node process of a run: records its version of Node and its program.
const { appendFileSync } = require("node:fs");

const runs = process.argv[1] ?? process.execArgv.join(" ");
appendFileSync(process.env.RECORD_FILE, `${JSON.stringify({ version: process.versions.node, runs })}\n`);

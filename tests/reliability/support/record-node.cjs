"use strict";
// Loaded first into every node process of a run: keeps which Node it is, and what it runs.
const { appendFileSync } = require("node:fs");

const runs = process.argv[1] ?? process.execArgv.join(" ");
appendFileSync(process.env.RECORD_FILE, `${JSON.stringify({ version: process.versions.node, runs })}\n`);

"use strict";
// Preloaded by every Node process of a run. The process that reaches the point that STOP_AT specifies reports this in
// the folder STOP_FOLDER, and waits until it may continue.

const { existsSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { join } = require("node:path");

const { STOP_AT: moment, STOP_FOLDER: folder } = process.env;
const [program, what] = moment.split(": ");
const here = process.argv[1] ?? process.execArgv.join(" ");

if (processes()[program]?.test(here)) {
  const asked = /^(loads|has loaded) (.+)$/.exec(what);
  if (what === "starts") stop();
  else if (asked) stopAround(asked[1], asked[2]);
  else if (what === "knows its port") stopBeforePort();
  else throw new Error(`There is no moment "${moment}".`);
}

function processes() {
  return {
    "language host": /\/pulumi-language-nodejs$/,
    program: /\/cmd\/run\b(?!-)/,
    "policy pack": /\/cmd\/run-policy-pack\b/,
    "look for the SDK": /require\.resolve\(.*cmd\/dynamic-provider/,
    provider: /\/cmd\/dynamic-provider\/index\.js$/,
  };
}

function stopAround(when, request) {
  const load = Module._load;
  Module._load = function (asked, ...more) {
    if (asked !== request) return load.call(this, asked, ...more);
    Module._load = load;
    if (when === "loads") stop();
    const loaded = load.call(this, asked, ...more);
    if (when === "has loaded") stop();
    return loaded;
  };
}

/** Stops the plugin before it prints its first line. The line contains the port that the engine waits for. */
function stopBeforePort() {
  const write = process.stdout.write;
  process.stdout.write = function (...text) {
    process.stdout.write = write;
    stop();
    return write.apply(this, text);
  };
}

function stop() {
  writeFileSync(join(folder, "stopped"), String(process.pid));
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(join(folder, "go-on"))) Atomics.wait(pause, 0, 0, 10);
}

"use strict";
// Reports unusual phrases and British spellings in the documents: `node tools/lint/documents.cjs [file ...]`.
const { execFileSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { faultsIn } = require("./phrases.cjs");

const [, , ...named] = process.argv;
const files =
  named.length > 0
    ? named
    : execFileSync("git", ["ls-files", "*.md"], { encoding: "utf8" }).split("\n").filter(Boolean);

const findings = files.flatMap((file) => {
  let isCode = false;
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      if (isCode) return [];
      const prose = line.replace(/`[^`]*`|\]\([^)]*\)/g, "");
      return faultsIn(prose).map(
        ({ found, replacement }) => `${file}:${index + 1} Write ${replacement} instead of "${found}".`,
      );
    });
});
if (findings.length > 0) {
  console.log(findings.join("\n"));
  process.exitCode = 1;
}

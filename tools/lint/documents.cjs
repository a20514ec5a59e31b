"use strict";
// Reports unusual phrases, British spellings, and Markdown errors in the documents:
// `node tools/lint/documents.cjs [file ...]`.
const { execFileSync } = require("node:child_process");
const { existsSync, readFileSync } = require("node:fs");
const markdownlint = require("markdownlint");
const { faultsIn } = require("./phrases.cjs");

/** markdownlint rules that differ from the defaults. */
const rules = {
  // Prettier leaves tables and code as they are.
  MD013: { line_length: 120, tables: false, code_blocks: false },
  // Only HTML allows line breaks and code blocks in tables.
  MD033: { allowed_elements: ["br", "table", "tr", "th", "td"] },
};

/** Exceptions from markdownlint rules for some files. */
const exceptions = [
  // Documents that an agent passes to a model. They contain no headings.
  { files: /^examples\/memory\/handbook\//, rules: ["MD041"] },
  // GitHub copies the text into the pull request, which has a title.
  { files: /^\.github\/PULL_REQUEST_TEMPLATE\.md$/, rules: ["MD041"] },
  // Generated from descriptions and results of any length.
  { files: /^docs\/performance\.md$/, rules: ["MD013"] },
];

const [, , ...named] = process.argv;
const files =
  named.length > 0
    ? named
    : execFileSync("git", ["ls-files", "*.md"], { encoding: "utf8" }).split("\n").filter(existsSync);

const findings = files.flatMap((file) => {
  const text = readFileSync(file, "utf8");
  return [...phrasesIn(file, text), ...markdownFaultsIn(file, text)];
});
if (findings.length > 0) {
  console.log(findings.join("\n"));
  process.exitCode = 1;
}

function phrasesIn(file, text) {
  let isCode = false;
  return text.split("\n").flatMap((line, index) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (isCode) return [];
    const prose = line.replace(/`[^`]*`|\]\([^)]*\)/g, "");
    return faultsIn(prose).map(
      ({ found, replacement }) => `${file}:${index + 1} Write ${replacement} instead of "${found}".`,
    );
  });
}

function markdownFaultsIn(file, text) {
  const disabled = exceptions.filter((one) => one.files.test(file)).flatMap((one) => one.rules);
  const config = { default: true, ...rules, ...Object.fromEntries(disabled.map((rule) => [rule, false])) };
  const { [file]: faults } = markdownlint.sync({ strings: { [file]: text }, config });
  return faults.map(({ lineNumber, ruleNames: [rule], ruleDescription, errorDetail }) => {
    const detail = errorDetail ? ` (${errorDetail})` : "";
    return `${file}:${lineNumber} ${ruleDescription}${detail}, ${rule} of markdownlint.`;
  });
}

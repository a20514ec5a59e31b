// Reports unknown words in sources, documents, and messages: `node tools/lint/spelling.mjs [file ...]`. Reads the
// dictionaries of cspell with its library, because cspell itself installs 89 more packages for languages that are not
// used here.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { decodeTrie, parseDictionary } from "cspell-trie-lib";

/** Minimum length of the words to check, in letters. */
const minLength = 4;

const checkedFiles = /\.([mc]?[jt]s|css|html|jsonc|md|py|ya?ml)$/;

/**
 * Matches files that are not checked: recorded data, facts about other projects, and British spellings with their
 * tests.
 */
const uncheckedFiles = /\/(fixtures|facts)\/|^(tests\/)?tools\/lint\//;

const dictionaries = [
  decodeTrie(read("@cspell/dict-en_us/en_US.trie.gz")),
  ...[
    "softwareTerms.txt.gz",
    "software-tools.txt",
    "coding-compound-terms.txt",
    "computing-acronyms.txt",
    "networkingTerms.txt",
    "webServices.txt",
    "posix-errno.txt",
    "posix-signals.txt",
  ].map((file) => parseDictionary(read(`@cspell/dict-software-terms/dict/${file}`).toString())),
  parseDictionary(readFileSync(join(import.meta.dirname, "words.txt"), "utf8")),
];

function read(path) {
  const content = readFileSync(join(import.meta.dirname, "..", "..", "node_modules", path));
  return path.endsWith(".gz") ? gunzipSync(content) : content;
}

const known = new Map();

function isKnown(word) {
  if (!known.has(word))
    known.set(
      word,
      dictionaries.some((one) => one.hasWord(word, false) || one.hasWord(word.toLowerCase(), false)),
    );
  return known.get(word);
}

/**
 * Returns the words of a line, without addresses, escapes, and hexadecimal numbers. Names are split at capital letters.
 */
function wordsIn(line) {
  return line
    .replace(
      /https?:\/\/\S+|\\u\{?[0-9a-f]+\}?|\\[a-z]|%2[0-9a-f]|#[0-9a-f]{3,8}\b|\b(?=[a-z]*[0-9])[0-9a-f]{6,}\b/gi,
      " ",
    )
    .replace(/’/g, "'")
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ")
    .split(/[^\p{L}']+/u)
    .map((word) => word.replace(/^'+|'s$|'+$/g, ""))
    .filter((word) => word.length >= minLength);
}

const [, , ...named] = process.argv;
const files =
  named.length > 0
    ? named
    : execFileSync("git", ["ls-files"], { encoding: "utf8" })
        .split("\n")
        .filter((file) => checkedFiles.test(file) && !uncheckedFiles.test(file) && existsSync(file));

const findings = files.flatMap((file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) => wordsIn(line).map((word) => ({ word, line: index + 1 })))
    .filter(({ word }) => !isKnown(word))
    .map(({ word, line }) => `${file}:${line} Unknown word "${word}".`),
);
if (findings.length > 0) {
  console.log(findings.join("\n"));
  process.exitCode = 1;
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messagesDocument, sentencesIn, sentencesOf } from "../../../tools/messages/sentences";
import { repositoryRoot } from "../../../tools/repository";

const document = readFileSync(join(repositoryRoot, "docs", "messages.txt"), "utf8");

/** Of the first releases, which wrote other words: they are read, never written. */
const old = "goes on waiting for the rollout that had not settled";

test("docs/messages.txt lists every sentence of the code; `npm run messages` writes it", () => {
  expect(messagesDocument(sentencesIn())).toBe(document);
});

test("no sentence uses a word that people do not use for it", () => {
  const words = /\b(told|tells|marked|takes on|goes on|go on|mends?|mended|anew)\b/i;
  expect(document.split("\n").filter((line) => words.test(line) && !line.includes(old))).toEqual([]);
});

test("a sentence is found with what is filled in, wherever it stands; code and markup are not", () => {
  const source = `
    throw new Error(\`Deployment "\${name}" is not there.\`);
    const [code, query, page] = ["bad_configuration", "SELECT id FROM rows WHERE id = 1", "<p>not a sentence here</p>"];
    log("info", one ? "it is so" : "no");
  `;
  expect(sentencesOf("a.ts", source).map(({ text }) => text)).toEqual([
    'Deployment "{name}" is not there.',
    "it is so",
  ]);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messagesDocument, findSentences, sentencesOf } from "../../../tools/messages/sentences";
import { repositoryRoot } from "../../../tools/repository";

const document = readFileSync(join(repositoryRoot, "docs", "messages.txt"), "utf8");

/** Terms of earlier versions that are still read, but never written. */
const old = "goes on waiting for the rollout that had not settled";

test("matches docs/messages.txt (run `npm run messages` to update it)", () => {
  expect(messagesDocument(findSentences())).toBe(document);
});

test("contains no unusual terms", () => {
  const words = /\b(told|tells|marked|takes on|goes on|go on|mends?|mended|anew)\b/i;
  expect(document.split("\n").filter((line) => words.test(line) && !line.includes(old))).toEqual([]);
});

test("finds sentences with their inserted values and ignores code and markup", () => {
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

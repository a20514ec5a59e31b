import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findSentences, messagesDocument, messagesFile } from "../../tools/messages/sentences";
import { repositoryRoot } from "../../tools/repository";

const snapshot = readFileSync(join(repositoryRoot, messagesFile), "utf8");

test("matches the messages in the code (run `npm run messages` to update the snapshot)", () => {
  expect(messagesDocument(findSentences())).toBe(snapshot);
});

test("contains no unusual terms", () => {
  const words = /\b(told|tells|marked|takes on|goes on|go on|mends?|mended|anew)\b/i;
  expect(snapshot.split("\n").filter((line) => words.test(line))).toEqual([]);
});

test("contains no control characters", () => {
  expect(snapshot.split("\n").filter((line) => /\p{Cc}|\p{Cf}/u.test(line))).toEqual([]);
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../command";
import { messagesDocument, findSentences } from "../messages/sentences";
import { repositoryRoot } from "../repository";

/** Implements `npm run messages`: writes `docs/messages.txt`, a list of all messages in the code. */
void runCommand(() => {
  writeFileSync(join(repositoryRoot, "docs", "messages.txt"), messagesDocument(findSentences()));
  return Promise.resolve(0);
});

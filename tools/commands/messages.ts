import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../command";
import { findSentences, messagesDocument, messagesFile } from "../messages/sentences";
import { repositoryRoot } from "../repository";

/** Implements `npm run messages`: writes the list of all messages in the code. */
void runCommand(() => {
  writeFileSync(join(repositoryRoot, messagesFile), messagesDocument(findSentences()));
  return Promise.resolve(0);
});

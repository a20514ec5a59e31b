import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../command";
import { messagesDocument, sentencesIn } from "../messages/sentences";
import { repositoryRoot } from "../repository";

/** `npm run messages`: writes `docs/messages.txt`, every sentence that the code may show. */
void runCommand(() => {
  writeFileSync(join(repositoryRoot, "docs", "messages.txt"), messagesDocument(sentencesIn()));
  return Promise.resolve(0);
});

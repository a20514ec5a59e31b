import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { runCommand } from "../command";
import { coverageDocument, coverageFile } from "../coverage/document";
import { coverageSections } from "../coverage/rows";

/** Implements `npm run coverage`: writes the table of documented operations. */
void runCommand(async () => {
  const document = coverageDocument(await coverageSections());
  mkdirSync(dirname(coverageFile), { recursive: true });
  writeFileSync(coverageFile, document);
  console.log(`Wrote ${coverageFile}`);
});

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { runCommand } from "../command";
import type { ApiDocument } from "../published-facts/document";
import { factsOf } from "../published-facts/extract";
import { factsText } from "../published-facts/text";

/** `npm run published-facts -- <OpenAPI document> <facts file>`: writes down what the document says without its prose. */
void runCommand(({ arguments: [document, target] }) => {
  if (!document || !target)
    throw new Error(
      "Name the OpenAPI document to read and the facts file to write: `npm run published-facts -- <document> <file>`.",
    );
  const facts = factsOf(JSON.parse(readFileSync(resolve(document), "utf8")) as ApiDocument);
  writeFileSync(resolve(target), factsText(facts));
  const { operations, schemas } = facts;
  console.log(
    `Wrote ${target}: ${Object.keys(operations).length} operations, ${Object.keys(schemas).length} schemas`,
  );
});

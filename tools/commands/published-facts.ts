import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import { runCommand } from "../command";
import { type CustomResourceDefinition, extractManifestFacts } from "../published-facts/custom-resource";
import type { ApiDocument } from "../published-facts/document";
import { extractFacts } from "../published-facts/extract";
import { factsText } from "../published-facts/text";

/**
 * Implements `npm run published-facts -- <document> <facts file>`: writes the facts of a document without its prose.
 */
void runCommand(({ arguments: [document, target] }) => {
  if (!document || !target)
    throw new Error(
      "Specify the OpenAPI document or Kubernetes CustomResourceDefinition to read, and the facts file to " +
        "write: `npm run published-facts -- <document> <file>`.",
    );
  // JSON is valid YAML.
  const content = parse(readFileSync(resolve(document), "utf8")) as ApiDocument | CustomResourceDefinition;
  if ("kind" in content) {
    const facts = extractManifestFacts(content);
    writeFileSync(resolve(target), `${JSON.stringify(facts)}\n`);
    console.log(`Wrote ${target}: ${facts.kind} of ${facts.apiVersion}`);
    return;
  }
  const facts = extractFacts(content);
  writeFileSync(resolve(target), factsText(facts));
  const { operations, schemas } = facts;
  console.log(
    `Wrote ${target}: ${Object.keys(operations).length} operations, ${Object.keys(schemas).length} schemas`,
  );
});

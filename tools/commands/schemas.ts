import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCommand } from "../command";
import { repositoryRoot } from "../repository";
import { manifestSchemas } from "../schemas/manifest-schema";

/** `npm run schemas`: writes the JSON Schemas of manifests anew. */
void runCommand(async () => {
  for (const [name, schema] of Object.entries(manifestSchemas())) {
    const file = join(repositoryRoot, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
    console.log(`Wrote ${file}`);
  }
});

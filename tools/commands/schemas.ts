import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCommand } from "../command";
import { reviewReportSchema, reviewReportSchemaPath } from "../../cli/review/report";
import { repositoryRoot } from "../repository";
import { manifestSchemas } from "../schemas/manifest-schema";
import { packageSchemaPath } from "../schemas/package-schema";
import { packageSchemaWithExamples } from "../sdks/examples";

/** Implements `npm run schemas`: writes the JSON Schemas of the package. */
void runCommand(async ({ signal, progress }) => {
  const schemas = {
    ...manifestSchemas(),
    [reviewReportSchemaPath]: reviewReportSchema(),
    [packageSchemaPath]: await packageSchemaWithExamples({ env: process.env, signal, progress }),
  };
  for (const [name, schema] of Object.entries(schemas)) {
    const file = join(repositoryRoot, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
    console.log(`Wrote ${file}`);
  }
});

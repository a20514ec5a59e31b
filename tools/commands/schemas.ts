import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCommand } from "../command";
import { reviewReportSchema, reviewReportSchemaPath } from "../../cli/review/report";
import { repositoryRoot } from "../repository";
import { manifestSchemas } from "../schemas/manifest-schema";
import { packageSchema, packageSchemaPath } from "../schemas/package-schema";

/** Implements `npm run schemas`: writes the JSON Schemas of the package. */
void runCommand(() => {
  const schemas = {
    ...manifestSchemas(),
    [reviewReportSchemaPath]: reviewReportSchema(),
    [packageSchemaPath]: packageSchema(),
  };
  for (const [name, schema] of Object.entries(schemas)) {
    const file = join(repositoryRoot, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
    console.log(`Wrote ${file}`);
  }
});

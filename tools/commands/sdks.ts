import { join, resolve } from "node:path";
import { runCommand } from "../command";
import { workFolder } from "../repository";
import { generateSdks, languages } from "../sdks/generator";

/** Implements `npm run sdks -- [folder]`: generates the SDKs of the provider plugin. */
void runCommand(async ({ arguments: [target], signal, progress }) => {
  const folder = target === undefined ? join(workFolder, "sdks") : resolve(target);
  await generateSdks(folder, { env: process.env, signal, progress });
  for (const language of languages) console.log(`Wrote ${join(folder, language)}`);
});

import { runCommand } from "../command";
import { ensurePythonEnvironment } from "./environment";

/**
 * Prints the Python environment of a requirements file as JSON, or the reason that there is none. Creates it if
 * necessary.
 */
void runCommand(async ({ arguments: [requirements], signal }) => {
  console.log(JSON.stringify(await ensurePythonEnvironment(requirements!, process.env, signal)));
});

import { runCommand } from "../command";
import { ensurePythonEnvironment } from "./environment";

/** Prints, as JSON, where the Python environment of a requirements file is, or why there is none; makes it if need be. */
void runCommand(async ({ arguments: [requirements], signal }) => {
  console.log(JSON.stringify(await ensurePythonEnvironment(requirements!, process.env, signal)));
});

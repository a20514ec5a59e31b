import type { ControlPlane } from "../../../emulator/index";
import { run } from "../../../tools/process";
import { temporaryFolder } from "../../tools/temporary-folder";

/** Output and exit code of a command. */
export interface Printed {
  code: number | undefined;
  text: string;
}

/**
 * Runs the `langgraph deploy` command of the official client in a project folder.
 *
 * @param python Python interpreter with the client
 * @param address environment variables with the address of the control plane
 */
export async function langgraphDeploy(
  python: string,
  plane: ControlPlane,
  folder: string,
  words: string[],
  address: Record<string, string>,
): Promise<Printed> {
  const env = {
    PATH: process.env.PATH,
    HOME: temporaryFolder(),
    LANGGRAPH_CLI_NO_ANALYTICS: "1",
    PYTHONDONTWRITEBYTECODE: "1",
    no_proxy: "*",
    ...address,
    LANGSMITH_API_KEY: plane.apiKey,
  };
  const { code, stdout, stderr } = await run(python, ["-m", "langgraph_cli", "deploy", ...words], {
    cwd: folder,
    env,
  });
  return { code, text: (stdout + stderr).replaceAll(plane.apiKey, "<API_KEY>") };
}

import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

interface RuntimeState {
  json: {
    runs?: Record<string, { thread_id: string; status: string }>;
    threads?: Record<string, { status: string }>;
  };
}

/**
 * Ends the runs that were under way when the agent server died: it never resumes them, and while they count as
 * running their threads refuse or queue every further run. They become `error`, as a run does that fails.
 */
export async function endInterruptedRuns(stateFolder: string): Promise<number> {
  const file = join(stateFolder, ".langgraph_api", ".langgraphjs_ops.json");
  if (!existsSync(file)) return 0;
  const state = parse(await readFile(file, "utf8"));
  const cut = Object.values(state?.json.runs ?? {}).filter((run) => run.status === "running");
  if (state === undefined || cut.length === 0) return 0;
  for (const run of cut) {
    run.status = "error";
    const thread = state.json.threads?.[run.thread_id];
    if (thread?.status === "busy") thread.status = "error";
  }
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
  return cut.length;
}

/** A file that was cut off in the middle is one that the runtime starts without. */
function parse(text: string): RuntimeState | undefined {
  try {
    return JSON.parse(text) as RuntimeState;
  } catch {
    return undefined;
  }
}

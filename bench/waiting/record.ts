import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";
import { rollOutLocally } from "../local-rollout";

const file = join(__dirname, "recorded.json");

/** Returns the durations of real rollouts of the quickstart's agent on this machine, in milliseconds. */
export function recorded(): number[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as number[]) : [];
}

/** Rolls out the agent repeatedly, and records the durations. */
export async function record(count: number): Promise<void> {
  const lengths: number[] = [];
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentserver-record-")));
  try {
    for (let done = 0; done < count; done += 1) {
      const began = performance.now();
      const agentFolder = join(repositoryRoot, "examples", "quickstart", "agent");
      const agent = await rollOutLocally(agentFolder, folder);
      lengths.push(Math.round(performance.now() - began));
      await agent.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  writeFileSync(file, `${JSON.stringify(lengths)}\n`);
  console.log(`Recorded ${count} rollouts: ${lengths.join(", ")} ms.`);
}

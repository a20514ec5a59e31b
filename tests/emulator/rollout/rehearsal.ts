import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { RolloutJob, RolloutReport, RunningAgent } from "../../../emulator/rollout/rollout";
import { temporaryFolder } from "./repository";

/** Returns a job for the repository, in separate folders. */
export function jobFor(repoUrl: string, changes: Partial<RolloutJob> = {}): RolloutJob {
  const dataFolder = temporaryFolder("deployment");
  return {
    deploymentId: randomUUID(),
    revisionId: randomUUID(),
    deploymentName: "greeter",
    source: "github",
    sourceConfig: { repo_url: repoUrl },
    sourceRevisionConfig: { repo_ref: "main" },
    secrets: [],
    dataFolder,
    revisionFolder: join(dataFolder, "revision"),
    ...changes,
  };
}

/** Records the reports of a rollout. */
export class Notes implements RolloutReport {
  readonly statuses: string[] = [];
  readonly lines: string[] = [];
  commit: string | undefined;
  ranOn: string | undefined;
  status = (status: string) => void this.statuses.push(status);
  log = (type: string, level: string, message: string) => void this.lines.push(`${type} ${level} ${message}`);
  resolvedCommit = (sha: string) => void (this.commit = sha);
  runtime = (name: string) => void (this.ranOn = name);
  get text(): string {
    return this.lines.join("\n");
  }
}

/** Returns the headers that an agent server requires for every request. */
export const tokenOf = (agent: RunningAgent | undefined) => ({
  "x-internal-api-token": agent!.internalApi!.token,
});

/** Sends a message to an agent on a new thread, and returns the text of the last message in its response. */
export async function ask(agent: RunningAgent | undefined, question: string): Promise<string> {
  const answer = await fetch(`${agent!.origin}/runs/wait`, {
    method: "POST",
    headers: { "content-type": "application/json", ...tokenOf(agent) },
    body: JSON.stringify({
      assistant_id: "agent",
      input: { messages: [{ role: "user", content: question }] },
    }),
  });
  const { messages } = (await answer.json()) as { messages: { content: string }[] };
  return messages.at(-1)!.content;
}

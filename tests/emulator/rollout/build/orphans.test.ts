import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { internalApiHeaders } from "../../../../emulator/rollout/internal-api-headers";
import type { RolloutJob } from "../../../../emulator/rollout/rollout";
import { agentFiles } from "../agents";
import { blockingGraph, silentServers, stuckPhases } from "../phases";
import { allGone, eventually, processesIn } from "../processes";
import { jobFor } from "../rehearsal";
import { Repository } from "../repository";

afterAll(() => silentServers.forEach((server) => server.close()));

function controlPlane(job: RolloutJob): { child: ChildProcess; output: () => string } {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", join(__dirname, "../control-plane-process.ts"), JSON.stringify(job)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text };
}

test.each(stuckPhases)(
  "stops all processes when the control plane is killed during $name",
  async ({ url, sign, processes }) => {
    const job = jobFor(await url());
    const { child, output } = controlPlane(job);
    try {
      await eventually(
        () => output().includes(sign) && processesIn(job.dataFolder).length >= processes,
        sign,
      );
    } finally {
      child.kill("SIGKILL");
    }
    await allGone(job.dataFolder);
  },
);

test("stops all processes when the control plane is killed while an agent does not respond", async () => {
  const job = jobFor(new Repository(agentFiles(blockingGraph)).folder);
  const { child, output } = controlPlane(job);
  try {
    await eventually(() => /serving \S+ \S+/.test(output()), "the agent serves");
    const [, origin = "", token = ""] = /serving (\S+) (\S+)/.exec(output())!;
    await fetch(`${origin}/runs`, {
      method: "POST",
      headers: { "content-type": "application/json", ...internalApiHeaders({ token }) },
      body: JSON.stringify({ assistant_id: "agent", input: { messages: [{ role: "user", content: "x" }] } }),
    });
    await eventually(() => output().includes("Starting background run"), "the run blocks");
    expect(processesIn(job.dataFolder).length).toBeGreaterThanOrEqual(3);
  } finally {
    child.kill("SIGKILL");
  }
  await allGone(job.dataFolder);
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningAgent } from "../../emulator/rollout/rollout";
import { storeResults } from "../../tools/performance/results";
import { repositoryRoot } from "../../tools/repository";
import { rollOutLocally } from "../local-rollout";
import { median } from "../median";

const rounds = 5;
const kinds = { TypeScript: "local-folder", Python: "python-agent" };

interface Measured {
  /** Number of seconds until the packages are installed. */
  built: number;
  /** Number of seconds from the end of the installation until the agent is healthy. */
  started: number;
  /** Memory of the agent's processes in MiB. Each process counts its proportional share of shared memory. */
  memory: number;
}

void main();

/** Rolls out the agents of two examples, one per language, and prints the cost of starting them. */
async function main(): Promise<void> {
  const rows: string[][] = [];
  for (const [language, example] of Object.entries(kinds)) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentserver-agents-")));
    try {
      const first = await measure(folder, example);
      const later: Measured[] = [];
      for (let round = 0; round < rounds; round += 1) later.push(await measure(folder, example));
      rows.push([`${language}, first revision`, ...figures([first])]);
      rows.push([`${language}, later revisions`, ...figures(later)]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  process.exitCode = storeResults("agents", {
    tables: [
      {
        title: `Agents of two examples; later revisions are medians of ${rounds}`,
        columns: ["", "package installation, s", "startup, s", "memory after one run, MiB"],
        rows,
      },
    ],
  });
}

async function measure(folder: string, example: string): Promise<Measured> {
  const agentFolder = join(repositoryRoot, "examples", example, "agent");
  const began = performance.now();
  let built = 0;
  const agent = await rollOutLocally(agentFolder, folder, (status) => {
    if (status === "DEPLOYING") built = performance.now();
  });
  try {
    const healthy = performance.now();
    await ask(agent);
    return { built: (built - began) / 1000, started: (healthy - built) / 1000, memory: memoryOf(folder) };
  } finally {
    await agent.stop();
  }
}

/** Starts one run of the agent, so that the measurement includes lazily loaded code. */
async function ask(agent: RunningAgent): Promise<void> {
  const response = await fetch(`${agent.origin}/runs/wait`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-internal-api-token": agent.internalApi!.token },
    body: JSON.stringify({ assistant_id: "agent", input: { messages: [{ role: "user", content: "hi" }] } }),
  });
  if (!response.ok || (await response.text()).includes("__error__"))
    throw new Error("The agent does not respond.");
}

/**
 * Returns the memory of all processes whose command or working directory is in the folder, except their supervisors.
 * Requires `/proc`.
 */
function memoryOf(folder: string): number {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const kibibytes = processes.map((id) => {
    try {
      const command = readFileSync(join("/proc", id, "cmdline"), "utf8");
      if (!command.includes(folder) || command.includes("supervise.mjs")) return 0;
      const summary = join("/proc", id, "smaps_rollup");
      return existsSync(summary) ? Number(/^Pss:\s+(\d+)/m.exec(readFileSync(summary, "utf8"))?.[1] ?? 0) : 0;
    } catch {
      return 0;
    }
  });
  return kibibytes.reduce((sum, one) => sum + one, 0) / 1024;
}

function figures(all: readonly Measured[]): string[] {
  return [
    medianOf(all, "built").toFixed(1),
    medianOf(all, "started").toFixed(1),
    medianOf(all, "memory").toFixed(0),
  ];
}

function medianOf(all: readonly Measured[], figure: keyof Measured): number {
  return median(all.map((one) => one[figure]));
}

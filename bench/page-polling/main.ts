import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeResults } from "../../tools/performance/results";
import { send } from "../control-plane-load/load";
import type { Listening, Memory } from "../control-plane-load/servers";

/** Number of polls in an hour, with one poll per second. */
const cycles = 3_600;
/** Number of polls after which all one-time allocations have been made. */
const warmUp = 600;
const everyCycles = 600;
const deployments = 5;
/** Maximum growth of memory between the end of the warm-up and the last poll, in MiB. */
const mostGrowth = 4;

interface Deployed {
  id: string;
  latest_revision_id: string;
}

void main();

/**
 * Sends the requests of one hour of page polling to a control plane, and measures the control plane's memory after
 * garbage collection.
 */
async function main(): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "agentserver-polling-"));
  const server = fork(
    join(__dirname, "../control-plane-load/servers.ts"),
    ["control-plane", state, "admin"],
    { execArgv: ["--expose-gc", "--import", "tsx"] },
  );
  try {
    const [plane] = (await once(server, "message")) as [Listening];
    const created: Deployed[] = [];
    for (let number = 0; number < deployments; number += 1) created.push(await deploy(plane, number));
    const memory: [cycle: number, used: number, rss: number][] = [];
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      await readAll(plane, created);
      if (cycle % everyCycles === 0) memory.push([cycle, ...(await memoryOf(server))]);
    }
    const used = memory.filter(([cycle]) => cycle >= warmUp).map(([, bytes]) => bytes);
    const growth = used.at(-1)! - used[0]!;
    process.exitCode = storeResults("page-polling", {
      tables: [
        {
          title: `Memory of the control plane while the web console shows ${deployments} deployments`,
          columns: ["cycles", "heap after garbage collection, MiB", "resident, MiB"],
          rows: memory.map(([cycle, ...sizes]) => [String(cycle), ...sizes.map((size) => size.toFixed(1))]),
        },
      ],
      bounds: [
        {
          what: `growth from cycle ${warmUp} to ${cycles}, MiB`,
          measured: Number(growth.toFixed(1)),
          most: mostGrowth,
        },
      ],
    });
  } finally {
    server.kill();
    rmSync(state, { recursive: true, force: true });
  }
}

async function deploy(plane: Listening, number: number): Promise<Deployed> {
  return (await send(plane, "POST", "/v2/deployments", {
    name: `agent-${number}`,
    source: "github",
    source_config: { repo_url: "https://example.com/agents" },
    source_revision_config: { repo_ref: "main" },
    secrets: [{ name: "API_KEY", value: "a secret" }],
  })) as Deployed;
}

/** Sends the requests of one poll of the web console, with the first deployment selected and the journal open. */
async function readAll(plane: Listening, [selected, ...others]: Deployed[]): Promise<void> {
  const { id, latest_revision_id: revision } = selected!;
  const revisions = (deployment: string, limit: number) =>
    `/page/v2/deployments/${deployment}/revisions?limit=${limit}`;
  const paths = [
    "/page/facts",
    "/page/v2/deployments?limit=100&offset=0",
    revisions(id, 20),
    ...others.map((other) => revisions(other.id, 1)),
    `/page/v2/deployments/${id}/revisions/${revision}/logs?order=asc&limit=1000`,
    "/admin/journal",
  ];
  for (const path of paths) await send(plane, "GET", path);
}

/** Returns the used and the resident memory, in MiB. */
async function memoryOf(server: ChildProcess): Promise<[number, number]> {
  const response = once(server, "message") as Promise<[Memory]>;
  server.send("memory");
  const [{ used, rss }] = await response;
  return [used / 2 ** 20, rss / 2 ** 20];
}

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeResults } from "../../tools/performance/results";
import { load, send, type Stretch, type Target } from "./load";
import type { Listening, Memory } from "./servers";

const revisions = 1_000;
/**
 * Number of rounds. Each round measures the baseline and the control plane, so that both are measured under the same
 * conditions.
 */
const rounds = 3;
/** Upper limit for the memory of the control plane after the last round, in MiB. */
const mostMemory = 512;
const seconds = { bare: 5, plane: 20 };

interface Deployed {
  id: string;
  latest_revision_id: string;
  source_config: { custom_url: string };
}

void main();

async function main(): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "agentserver-load-"));
  const servers: ChildProcess[] = [];
  try {
    const [, bare] = await start(servers, "bare");
    const [planeProcess, plane] = await start(servers, "control-plane", state);
    const targets = await deploy(plane);
    const acknowledged = new Map<string, string>();
    const stretches = { bare: [] as Stretch[], plane: [] as Stretch[] };
    const memory: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      stretches.bare.push(await load(bare, targets, seconds.bare, new Map()));
      stretches.plane.push(await load(plane, targets, seconds.plane, acknowledged));
      memory.push(await rss(planeProcess));
      console.log(`round ${round} of ${rounds}: the control plane holds ${mebibytes(memory.at(-1)!)} MiB`);
    }
    const lost = await lostWrites(plane, acknowledged);
    const errors = [...stretches.bare, ...stretches.plane].flatMap((stretch) => stretch.errors);
    if (errors[0]) console.error(`The first error: ${errors[0]}`);
    process.exitCode = storeResults("control-plane-load", {
      tables: [
        {
          title: `200 polling clients with ${revisions} revisions, 20 writing clients`,
          columns: ["", "requests per second", "p50, ms", "p99, ms"],
          rows: [...rowsOf("bare route", stretches.bare), ...rowsOf("control plane", stretches.plane)],
        },
      ],
      bounds: [
        { what: "errors", measured: errors.length, most: 0 },
        { what: `lost writes (out of ${acknowledged.size})`, measured: lost, most: 0 },
        { what: "memory after the last round, MiB", measured: mebibytes(memory.at(-1)!), most: mostMemory },
      ],
    });
  } finally {
    servers.forEach((server) => server.kill());
    rmSync(state, { recursive: true, force: true });
  }
}

async function start(servers: ChildProcess[], ...args: string[]): Promise<[ChildProcess, Listening]> {
  const child = fork(join(__dirname, "servers.ts"), args, { execArgv: ["--import", "tsx"] });
  servers.push(child);
  const [listening] = (await once(child, "message")) as [Listening];
  return [child, listening];
}

async function deploy(plane: Listening): Promise<Target[]> {
  const targets: Target[] = [];
  for (let number = 0; number < revisions; number += 1) {
    const deployment = (await send(plane, "POST", "/v2/deployments", {
      name: `agent-${number}`,
      source: "github",
      source_config: { repo_url: "https://example.com/agents" },
      source_revision_config: { repo_ref: "main" },
      secrets: [],
    })) as Deployed;
    targets.push({ deploymentId: deployment.id, revisionId: deployment.latest_revision_id });
  }
  return targets;
}

async function lostWrites(plane: Listening, acknowledged: Map<string, string>): Promise<number> {
  let lost = 0;
  for (const [deploymentId, url] of acknowledged) {
    const record = (await send(plane, "GET", `/v2/deployments/${deploymentId}`)) as Deployed;
    if (record.source_config.custom_url !== url) lost += 1;
  }
  return lost;
}

async function rss(server: ChildProcess): Promise<number> {
  const response = once(server, "message") as Promise<[Memory]>;
  server.send("memory");
  return (await response)[0].rss;
}

function rowsOf(name: string, stretches: Stretch[]): string[][] {
  const duration = stretches.reduce((sum, stretch) => sum + stretch.seconds, 0);
  return (["reads", "writes"] as const).map((kind) => {
    const times = stretches.flatMap((stretch) => stretch[kind]).sort((a, b) => a - b);
    const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
    return [`${name}, ${kind}`, String(Math.round(times.length / duration)), at(0.5), at(0.99)];
  });
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

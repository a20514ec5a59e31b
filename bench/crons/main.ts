import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ControlPlane, startControlPlane } from "../../emulator/index";
import { storeResults } from "../../tools/performance/results";
import { median } from "../median";

const rounds = 7;
/** Number of crons that are due in the same second, and number of runs that are started by requests. */
const count = 30;
/** Maximum ratio of the delay of the last run that a cron starts to the delay of the last run that a request starts. */
const mostRatio = 1.5;
/** Time between the creation of the crons and their due time, in milliseconds. */
const leadMs = 4_000;

/** Source of a graph that writes the time of each run to the file that the message specifies. */
const graph = `
import { appendFileSync } from "node:fs";
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("note", async ({ messages }) => {
    appendFileSync(String(messages.at(-1).content), Date.now() + "\\n");
    return { messages: [] };
  })
  .addEdge("__start__", "note")
  .compile();
`;

void main();

/**
 * Alternates between runs started by crons that are due in the same second and runs started by requests, and compares
 * their delays.
 */
async function main(): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentserver-crons-")));
  const plane = await startControlPlane({ state: join(folder, "state"), rollout: "real" });
  try {
    const agent = await deploy(plane, repositoryIn(folder));
    const delays = { crons: [] as number[][], requests: [] as number[][] };
    for (let round = 0; round <= rounds; round += 1) {
      const byCrons = await startByCrons(agent, join(folder, `crons-${round}`));
      const byRequests = await startByRequests(agent, join(folder, `requests-${round}`));
      // The first round loads code.
      if (round === 0) continue;
      delays.crons.push(byCrons);
      delays.requests.push(byRequests);
    }
    const [crons, requests] = [delays.crons, delays.requests].map((all) => ({
      first: median(all.map((times) => times[0]!)),
      last: median(all.map((times) => times.at(-1)!)),
    })) as [Delays, Delays];
    const row = (what: string, { first, last }: Delays) => [what, first.toFixed(0), last.toFixed(0)];
    process.exitCode = storeResults("crons", {
      tables: [
        {
          title: `Delay until ${count} runs start, medians of ${rounds}`,
          columns: ["", "first run, ms", "last run, ms"],
          rows: [
            row(`${count} crons, after the due time`, crons),
            row(`${count} requests, after they are sent`, requests),
          ],
        },
      ],
      bounds: [
        {
          what: "delay of the last run, ratio of crons to requests",
          measured: Number((crons.last / requests.last).toFixed(2)),
          most: mostRatio,
        },
      ],
    });
  } finally {
    await plane.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Delays of the first and the last run, in milliseconds. */
interface Delays {
  first: number;
  last: number;
}

/** Client of an agent server. */
type Send = (method: string, path: string, body?: object) => Promise<unknown>;

async function startByCrons(send: Send, file: string): Promise<number[]> {
  const due = Math.ceil((Date.now() + leadMs) / 1000) * 1000;
  const time = new Date(due);
  const schedule = [
    time.getUTCMinutes(),
    time.getUTCHours(),
    time.getUTCDate(),
    time.getUTCMonth() + 1,
    "*",
    time.getUTCSeconds(),
  ].join(" ");
  const crons = (await Promise.all(
    Array.from({ length: count }, () => send("POST", "/runs/crons", { ...noting(file), schedule })),
  )) as { cron_id: string }[];
  if (Date.now() >= due) throw new Error("The crons were created too late.");
  const delays = await delaysIn(file, due);
  for (const { cron_id: id } of crons) await send("DELETE", `/runs/crons/${id}`);
  return delays;
}

async function startByRequests(send: Send, file: string): Promise<number[]> {
  const sent = Date.now();
  await Promise.all(Array.from({ length: count }, () => send("POST", "/runs", noting(file))));
  return delaysIn(file, sent);
}

function noting(file: string): object {
  return { assistant_id: "agent", input: { messages: [{ role: "user", content: file }] } };
}

/** Waits until all runs have started; returns their delays in ascending order. */
async function delaysIn(file: string, from: number): Promise<number[]> {
  for (;;) {
    const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    if (lines.length >= count) return lines.map((line) => Number(line) - from).sort((a, b) => a - b);
    await sleep(100);
  }
}

/** Creates a git repository with the agent. */
function repositoryIn(folder: string): string {
  const repository = join(folder, "repository");
  mkdirSync(repository);
  writeFileSync(join(repository, "agent.ts"), graph);
  writeFileSync(
    join(repository, "langgraph.json"),
    JSON.stringify({ graphs: { agent: "./agent.ts:graph" } }),
  );
  const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  const author = [
    "-c",
    "user.name=Bench",
    "-c",
    "user.email=bench@example.com",
    "-c",
    "commit.gpgsign=false",
  ];
  git(...author, "commit", "--quiet", "--message", "Add agent");
  return repository;
}

async function deploy(plane: ControlPlane, repository: string): Promise<Send> {
  const { baseUrl, apiKey, tenantId } = plane;
  const headers = { "content-type": "application/json", "X-Api-Key": apiKey, "X-Tenant-Id": tenantId };
  const client =
    (base: string): Send =>
    async (method, path, body) => {
      const response = await fetch(base + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.json();
    };
  const control = client(baseUrl);
  const { id, latest_revision_id: revision } = (await control("POST", "/v2/deployments", {
    name: "crons",
    source: "github",
    source_config: { repo_url: repository, build_on_push: false },
    source_revision_config: { repo_ref: "main", graph_config_path: "langgraph.json" },
    secrets: [],
  })) as { id: string; latest_revision_id: string };
  for (;;) {
    const { status } = (await control("GET", `/v2/deployments/${id}/revisions/${revision}`)) as {
      status: string;
    };
    if (status === "DEPLOYED") return client(`${baseUrl}/agents/${id}`);
    if (status.includes("FAILED")) throw new Error(`The rollout failed: ${status}.`);
    await sleep(100);
  }
}

import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { type Bound, storeResults } from "../../tools/performance/results";
import { repositoryRoot } from "../../tools/repository";
import { rollOutLocally } from "../local-rollout";
import { median } from "../median";

const rounds = 5;
const apiKey = "key-of-the-benchmark";

/** Agent whose file the benchmark changes by inserting a marker. */
interface Agent {
  language: string;
  example: string;
  file: string;
  /** Pattern for the text before the marker (the first group), followed by the previous marker, if there is one. */
  marked: RegExp;
  /** Maximum time from saving a change until the agent's response contains it, in seconds. */
  most: number;
}

const agents: Agent[] = [
  { language: "TypeScript", example: "local-folder", file: "graph.ts", marked: /(\.text\}!)[\w-]*/, most: 3 },
  { language: "Python", example: "python-agent", file: "agent.py", marked: /(\{signature\})[\w-]*/, most: 5 },
];

/** Maximum ratio of the duration of a change to the duration of a rollout without the API. */
const mostRatio = 2;

/** Number of seconds from saving a change until each step. */
interface Durations {
  detected: number;
  built: number;
  answered: number;
}

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

/** Measures the time from saving a change until `agentserver dev` serves a response from the changed agent. */
async function main(): Promise<void> {
  await ensureBuilt();
  const rows: string[][] = [];
  const bounds: Bound[] = [];
  for (const agent of agents) {
    const { changes, rollouts } = await measure(agent);
    const of = (step: keyof Durations) => median(changes.map((one) => one[step]));
    rows.push([
      agent.language,
      ...[of("detected"), of("built"), of("answered"), median(rollouts)].map((value) => value.toFixed(2)),
    ]);
    bounds.push(
      {
        what: `${agent.language}, from saving a change to an answer, s`,
        measured: rounded(of("answered")),
        most: agent.most,
      },
      {
        what: `${agent.language}, ratio to a rollout without the API`,
        measured: rounded(of("answered") / median(rollouts)),
        most: mostRatio,
      },
    );
  }
  process.exitCode = storeResults("dev", {
    tables: [
      {
        title: `Seconds after saving a change, medians of ${rounds}`,
        columns: ["", "change detected", "agent started", "first answer", "rollout without the API"],
        rows,
      },
    ],
    bounds,
  });
}

/** Measures changes and, alternating with them, rollouts without the API. */
async function measure(agent: Agent): Promise<{ changes: Durations[]; rollouts: number[] }> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentserver-dev-bench-")));
  const source = join(folder, "agent");
  cpSync(join(repositoryRoot, "examples", agent.example, "agent"), source, { recursive: true });
  const configuration = join(source, "langgraph.json");
  const given = JSON.parse(readFileSync(configuration, "utf8")) as { env?: object };
  writeFileSync(configuration, JSON.stringify({ ...given, env: { ...given.env, GREETING: "Hello" } }));
  const dev = new Dev(source);
  const changes: Durations[] = [];
  const rollouts: number[] = [];
  try {
    const [, url] = await dev.until(/is serving requests after \S+: (http\S+)\n/);
    await change(agent, dev, source, url!);
    for (let round = 0; round < rounds; round += 1) {
      changes.push(await change(agent, dev, source, url!));
      rollouts.push(await rollOut(source, folder));
    }
    return { changes, rollouts };
  } finally {
    await dev.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

let lastMarker = 0;

/** Saves a change, waits until the agent's response contains it, and returns the durations. */
async function change({ file, marked }: Agent, dev: Dev, source: string, url: string): Promise<Durations> {
  lastMarker += 1;
  const marker = `-marker-${lastMarker}-`;
  const path = join(source, file);
  const text = readFileSync(path, "utf8").replace(marked, `$1${marker}`);
  dev.forget();
  const began = performance.now();
  const since = () => (performance.now() - began) / 1_000;
  writeFileSync(path, text);
  const [detected, built, answered] = await Promise.all([
    dev.until(/files? changes?: /).then(since),
    dev.until(/: DEPLOYING\n/).then(since),
    answer(url, marker).then(since),
  ]);
  // The next change must not coincide with this rollout.
  await dev.until(/is serving requests after /);
  return { detected, built, answered };
}

async function answer(url: string, marker: string): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const response = await fetch(`${url}/runs/wait`, {
      method: "POST",
      headers: { "content-type": "application/json", "X-Api-Key": apiKey },
      body: JSON.stringify({
        assistant_id: "agent",
        input: { messages: [{ role: "user", content: "hello" }] },
      }),
    });
    if ((await response.text()).includes(marker)) return;
    await sleep(50);
  }
  throw new Error(`The agent never answered with ${marker}.`);
}

/** Returns the duration of a rollout with the same code but without the API, until the agent is healthy, in seconds. */
async function rollOut(source: string, folder: string): Promise<number> {
  const began = performance.now();
  const agent = await rollOutLocally(source, folder);
  const seconds = (performance.now() - began) / 1_000;
  await agent.stop();
  return seconds;
}

/** Process of `agentserver dev`. */
class Dev {
  private text = "";
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;

  constructor(source: string) {
    const main = join(repositoryRoot, "dist", "cli", "main.js");
    const env = { ...process.env, AGENTSERVER_API_KEY: apiKey };
    this.child = spawn(process.execPath, [main, "dev", source], { cwd: source, env, stdio: "pipe" });
    this.child.stdout!.setEncoding("utf8").on("data", (text) => (this.text += text));
    this.child.stderr!.setEncoding("utf8").on("data", (text) => (this.text += text));
    this.ended = new Promise((resolve) => this.child.on("close", resolve));
  }

  /** Discards the output so far. */
  forget(): void {
    this.text = "";
  }

  /** Waits until the output matches a pattern, and returns the match. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.text);
      if (found) return found;
      if (this.child.exitCode !== null || /Waiting for changes/.test(this.text))
        throw new Error(`The agent was not deployed:\n${this.text}`);
      await sleep(5);
    }
  }

  async stop(): Promise<void> {
    this.child.kill("SIGINT");
    await this.ended;
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

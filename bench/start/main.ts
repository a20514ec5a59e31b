import { randomUUID } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileCacheFolder } from "../../tools/cache-folder";
import { storeResults, type Bound } from "../../tools/performance/results";
import { run } from "../../tools/process";
import { repositoryRoot } from "../../tools/repository";
import { rollOutLocally } from "../local-rollout";
import { median } from "../median";

const rounds = 5;
const agentFolder = join(repositoryRoot, "examples", "quickstart", "agent");
const graph = join(agentFolder, "graph.ts");
/** Folder whose tests require neither the engine nor a control plane. */
const quickTests = "tests/provider/text";

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

/** Measures the overhead of the repository's commands. */
async function main(): Promise<void> {
  // Creates everything that later runs reuse.
  await npmRun("up");
  const [ours, alone]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await secondsOf(() => npmRun("up")));
    alone.push(await engineAlone());
  }
  const changed = await withChangedGraphs();
  await npmRun("down");
  const { rollout, runtime } = await rolloutBesideRuntime();
  const firstTest: number[] = [];
  for (let round = 0; round < 3; round += 1) firstTest.push(await untilFirstTest());
  const bounds: Bound[] = [
    {
      what: "`npm run up`, ratio to `pulumi up`",
      measured: rounded(median(ours) / median(alone)),
      most: 1.2,
    },
    { what: "`npm run up`, changed graph, s", measured: rounded(median(changed)), most: 8 },
    {
      what: "rollout, ratio to the startup of the runtime",
      measured: rounded(median(rollout) / median(runtime)),
      most: 1.3,
    },
    { what: "time to first test, s", measured: rounded(median(firstTest)), most: 5 },
  ];
  process.exitCode = storeResults("start", {
    tables: [
      {
        title: "Medians in seconds",
        columns: ["", "seconds"],
        rows: [
          ["`npm run up`, no changes", median(ours).toFixed(2)],
          ["`pulumi up` with the same stack", median(alone).toFixed(2)],
          ["`npm run up`, changed graph", median(changed).toFixed(2)],
          ["rollout of the quickstart agent on the local control plane", median(rollout).toFixed(2)],
          ["startup of the runtime with the same graph", median(runtime).toFixed(2)],
          [`\`npm test -- ${quickTests}\`, time to first test`, median(firstTest).toFixed(2)],
        ],
      },
    ],
    bounds,
  });
}

async function npmRun(name: string, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await run("npm", ["run", name, "--", ...args], { cwd: repositoryRoot });
  if (code !== 0) throw new Error(`npm run ${name} failed:\n${stdout}${stderr}`);
}

/** Returns the duration of `pulumi up` alone, measured by the process that runs it. */
async function engineAlone(): Promise<number> {
  const nodeArguments = ["--import", "tsx", join(__dirname, "engine-alone.ts")];
  // A shell does not set the variable for the compile cache, so the cache is not used here either.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" };
  const { code, stdout, stderr } = await run(process.execPath, nodeArguments, { cwd: repositoryRoot, env });
  if (code !== 0) throw new Error(`pulumi up failed:\n${stdout}${stderr}`);
  return Number(stdout.trim().split("\n").at(-1));
}

/** Returns the durations of `npm run up` after several changes to the graph. The changes are reverted afterward. */
async function withChangedGraphs(): Promise<number[]> {
  const before = readFileSync(graph, "utf8");
  const seconds: number[] = [];
  try {
    for (let round = 0; round < 3; round += 1) {
      appendFileSync(graph, `// ${randomUUID()}\n`);
      seconds.push(await secondsOf(() => npmRun("up")));
    }
  } finally {
    writeFileSync(graph, before);
  }
  return seconds;
}

async function rolloutBesideRuntime(): Promise<Record<"rollout" | "runtime", number[]>> {
  const seconds: Record<"rollout" | "runtime", number[]> = { rollout: [], runtime: [] };
  for (let round = 0; round < rounds; round += 1) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentserver-start-")));
    try {
      seconds.rollout.push(await rollOut(folder));
      // The runtime resolves the modules of the graph from `folder`.
      const nodeArguments = [
        "--import",
        "tsx",
        join(__dirname, "bare-runtime.mjs"),
        folder,
        `${graph}:graph`,
      ];
      seconds.runtime.push(
        await secondsOf(async () => {
          const { code, stderr } = await run(process.execPath, nodeArguments, { cwd: repositoryRoot });
          if (code !== 0) throw new Error(`The runtime did not start:\n${stderr}`);
        }),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return seconds;
}

async function rollOut(folder: string): Promise<number> {
  const began = performance.now();
  const agent = await rollOutLocally(agentFolder, folder);
  const seconds = (performance.now() - began) / 1_000;
  await agent.stop();
  return seconds;
}

async function untilFirstTest(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "agentserver-first-"));
  const file = join(folder, "at");
  try {
    const began = Date.now();
    const args = ["test", "--", quickTests, `--reporters=${join(__dirname, "first-test-reporter.cjs")}`];
    const env = {
      ...process.env,
      AGENTSERVER_FIRST_TEST: file,
      NODE_COMPILE_CACHE: compileCacheFolder(process.env),
    };
    const { code, stdout } = await run("npm", args, { cwd: repositoryRoot, env });
    if (code !== 0) throw new Error(`npm test failed:\n${stdout}`);
    return (Number(readFileSync(file, "utf8")) - began) / 1_000;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

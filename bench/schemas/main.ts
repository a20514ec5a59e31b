import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeResults } from "../../tools/performance/results";
import { repositoryRoot } from "../../tools/repository";
import { median } from "../median";

const rounds = 3;
const counts = [1, 10] as const;
const bounds = { ratio: 1.5, memory: 400 };
const schemasFolder = join(repositoryRoot, "emulator", "agent-server", "schemas");
/** Module that reports the resource usage of its process when the process exits. */
const usage =
  "data:text/javascript,process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();" +
  "process.stderr.write(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS / 1024 })) })";

interface Used {
  /** CPU time in seconds. */
  cpu: number;
  /** Peak memory usage in MiB. */
  memory: number;
}

void main();

/** Alternately reads the types of one graph and of ten graphs, and compares the cost. */
async function main(): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentserver-schemas-")));
  try {
    symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
    const used = new Map(counts.map((count) => [count, [] as Used[]]));
    for (let round = 0; round < rounds; round += 1)
      for (const count of counts) used.get(count)!.push(await read(folder, count));
    const [one, ten] = counts.map((count) => ({
      cpu: median(used.get(count)!.map(({ cpu }) => cpu)),
      memory: Math.max(...used.get(count)!.map(({ memory }) => memory)),
    })) as [Used, Used];
    const figures = ({ cpu, memory }: Used) => [cpu.toFixed(1), memory.toFixed(0)];
    process.exitCode = storeResults("schemas", {
      tables: [
        {
          title: `Graphs in one file, each with a subgraph and messages; CPU time is the median of ${rounds}`,
          columns: ["graphs", "CPU time, s", "peak memory, MiB"],
          rows: [
            ["1", ...figures(one)],
            ["10", ...figures(ten)],
          ],
        },
      ],
      bounds: [
        {
          what: "CPU time of ten graphs, ratio to one graph",
          measured: rounded(ten.cpu / one.cpu, 2),
          most: bounds.ratio,
        },
        { what: "memory of ten graphs, MiB", measured: rounded(ten.memory), most: bounds.memory },
      ],
      readme:
        `about ${one.cpu.toFixed(1)} s of CPU time and ${one.memory.toFixed(0)} MiB for one graph, ` +
        `${ten.cpu.toFixed(1)} s and ${ten.memory.toFixed(0)} MiB for ten`,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads the schemas of this number of graphs in one file, in the same way as the local control plane. */
async function read(folder: string, count: number): Promise<Used> {
  const limits = "reader-limits.mjs";
  const { readerFlags } = (await import(join(schemasFolder, limits))) as { readerFlags: string[] };
  const file = join(folder, `graphs-${count}.ts`);
  const names = Array.from({ length: count }, (_, number) => `graph${number}`);
  writeFileSync(file, moduleOf(names));
  const graphs = names.map((name) => ({ id: name, file, export: name }));
  const child = fork(join(schemasFolder, "read-types.mjs"), [JSON.stringify({ graphs, root: folder })], {
    execArgv: [...readerFlags, "--import", usage],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const known = new Set<string>();
  child.on("message", (results: Record<string, { schemas?: Record<string, unknown> }>) => {
    for (const [id, { schemas }] of Object.entries(results)) if (schemas?.[`${id}|inner`]) known.add(id);
  });
  let reported = "";
  child.stderr!.on("data", (chunk: Buffer) => (reported += chunk.toString()));
  await once(child, "close");
  if (known.size !== count) throw new Error(`${known.size} of ${count} graphs have schemas: ${reported}`);
  return JSON.parse(reported) as Used;
}

function moduleOf(names: readonly string[]): string {
  const graphs = names.map(
    (name) => `
const ${name}State = Annotation.Root({
  ...MessagesAnnotation.spec,
  ${name}Topic: Annotation<string>,
  drafts: Annotation<number>({ reducer: (one, other) => one + other, default: () => 0 }),
  items: Annotation<{ id: string; tags: string[] }[]>,
});
const ${name}Inner = new StateGraph(${name}State)
  .addNode("draft", async () => ({ drafts: 1 })).addEdge(START, "draft").addEdge("draft", END)
  .compile();
export const ${name} = new StateGraph(${name}State)
  .addNode("inner", ${name}Inner).addNode("check", async () => ({ drafts: 1 }))
  .addEdge(START, "inner").addEdge("inner", "check").addEdge("check", END)
  .compile();
`,
  );
  const imported = "Annotation, END, MessagesAnnotation, START, StateGraph";
  return [`import { ${imported} } from "@langchain/langgraph";\n`, ...graphs].join("");
}

function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}

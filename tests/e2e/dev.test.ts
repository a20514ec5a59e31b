import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { repositoryRoot } from "../../tools/repository";
import { temporaryFolder } from "../tools/temporary-folder";
import { noProcessOf } from "./processes";
import { until } from "./waiting";

const apiKey = "key-of-the-control-plane";
const secret = "greeting-that-is-a-secret";

const files = {
  "langgraph.json": JSON.stringify({ graphs: { agent: "./graph.ts:graph" }, env: ".env" }),
  ".gitignore": ".env\n",
  ".env": `GREETING=${secret}\n`,
  "graph.ts": `
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
const state = Annotation.Root({ answer: Annotation });
export const graph = new StateGraph(state)
  .addNode("respond", () => ({ answer: "first, " + process.env.GREETING.length }))
  .addEdge(START, "respond")
  .addEdge("respond", END)
  .compile();
`,
};

/** Process of an installed `agentserver dev`, with its output. */
class Dev {
  stdout = "";
  stderr = "";
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  private seen = 0;

  constructor(readonly folder: string) {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("AGENTSERVER_"));
    const env = { ...Object.fromEntries(own), AGENTSERVER_API_KEY: apiKey };
    const main = join(repositoryRoot, "dist", "cli", "main.js");
    this.child = spawn(process.execPath, [main, "dev", folder], { cwd: folder, env });
    this.child.stdout!.setEncoding("utf8").on("data", (text) => (this.stdout += text));
    this.child.stderr!.setEncoding("utf8").on("data", (text) => (this.stderr += text));
    this.ended = new Promise((resolve) => this.child.on("close", resolve));
  }

  /** Waits for the next output that matches, and returns the text of the first group. */
  async next(pattern: RegExp): Promise<string> {
    let found: RegExpExecArray | null = null;
    await until(() => {
      if (this.child.exitCode !== null) throw new Error(`It ended: ${this.stdout}${this.stderr}`);
      found = pattern.exec(this.stdout.slice(this.seen));
      return found !== null;
    });
    this.seen += found!.index + found![0].length;
    return found![1] ?? "";
  }

  edit(change: (text: string) => string): void {
    const file = join(this.folder, "graph.ts");
    writeFileSync(file, change(readFileSync(file, "utf8")));
  }
}

const serving = /is serving requests after \S+: (http\S+)\n/;

async function answerOf(url: string): Promise<unknown> {
  const response = await fetch(`${url}/runs/wait`, {
    method: "POST",
    headers: { "content-type": "application/json", "X-Api-Key": apiKey },
    body: JSON.stringify({ assistant_id: "agent", input: {} }),
  });
  return ((await response.json()) as { answer: unknown }).answer;
}

let dev: Dev | undefined;

beforeAll(() => ensureBuilt(), 120_000);

afterAll(() => void dev?.child.kill("SIGKILL"));

test("serves each new version of an agent, keeps the old one after an error, and stops cleanly", async () => {
  dev = new Dev(temporaryFolder(files));
  const url = await dev.next(serving);
  expect(await answerOf(url)).toBe(`first, ${secret.length}`);

  dev.edit((text) => text.replace("first", "second"));
  expect(await dev.next(serving)).toBe(url);
  expect(await answerOf(url)).toBe(`second, ${secret.length}`);

  dev.edit((text) => text.replace("export const graph", "export const other"));
  await dev.next(/graph\.ts has no export "graph"[^\n]*\nRevision \w+ is still serving requests\./);
  expect(await answerOf(url)).toBe(`second, ${secret.length}`);

  dev.edit((text) => text.replace("export const other", "export const graph").replace("second", "third"));
  expect(await dev.next(serving)).toBe(url);
  expect(await answerOf(url)).toBe(`third, ${secret.length}`);

  dev.child.kill("SIGINT");
  expect(await dev.ended).toBe(0);
  expect(dev.stderr).toBe("");
  expect(dev.stdout).not.toContain(secret);
  expect(dev.stdout).not.toContain(apiKey);
  await noProcessOf(dev.folder);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
}, 300_000);

import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startControlPlane, type ControlPlane } from "../../emulator/index";
import { repositoryRoot } from "../../tools/repository";
import { canaries } from "./canaries";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(300_000);

let world: World;

beforeAll(async () => {
  world = await World.start({ dialect: "langsmith", rollout: "real" });
});
afterAll(() => world?.end());

/**
 * Copies an example and creates an empty stack. The package is installed in the same way as for users. `npm run check`
 * checks the types of the examples, so the engine need not check them in every run.
 */
async function example(name: string, plane: ControlPlane = world.plane): Promise<Stack> {
  const stack = await world.stack(name, "", undefined, {
    AGENTSERVER_BASE_URL: plane.baseUrl,
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  });
  rmSync(join(stack.folder, "index.js"));
  cpSync(join(repositoryRoot, "examples", name), stack.folder, { recursive: true });
  return stack;
}

/** Deploys the stack, checks that a second preview is empty, and returns its outputs. */
async function up<Outputs>(stack: Stack): Promise<Outputs> {
  const run = await stack.up();
  expect(run.code === 0 ? "" : run.output).toBe("");
  const again = await stack.preview("--expect-no-changes");
  expect(again.code === 0 ? "" : again.output).toBe("");
  const { resources } = await stack.state();
  return resources.find(({ type }) => type === "pulumi:pulumi:Stack")!.outputs as Outputs;
}

async function down(stack: Stack): Promise<void> {
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await world.deployments()).toEqual([]);
}

/** Returns the last message of an agent. */
async function answer(url: string, assistant: string, question: string): Promise<string> {
  const response = await fetch(`${url}/runs/wait`, {
    method: "POST",
    headers: { "content-type": "application/json", "X-Api-Key": world.plane.apiKey },
    body: JSON.stringify({
      assistant_id: assistant,
      input: { messages: [{ role: "user", content: question }] },
    }),
  });
  const { messages } = (await response.json()) as { messages: { content: string }[] };
  return messages.at(-1)!.content;
}

test("responds in the styles of three assistants of one agent (chat-agent)", async () => {
  const stack = await example("chat-agent");
  const { url, brief, thorough, friendly } = await up<Record<string, string>>(stack);
  expect(await answer(url!, brief!, "why?")).toBe('In short: you asked "why?"');
  expect(await answer(url!, thorough!, "why?")).toBe('To answer in full: you asked "why?"');
  expect(await answer(url!, friendly!, "why?")).toBe('Good question: you asked "why?"');
  await down(stack);
});

test("previews the next run, and runs at nine o'clock in Berlin (scheduled-report)", async () => {
  const stack = await example("scheduled-report");
  expect((await stack.preview()).output).toMatch(/runs next at .*07:00|runs next at .*08:00/);
  const { nextRuns } = await up<{ nextRuns: string[] }>(stack);
  expect(nextRuns).toHaveLength(3);
  for (const time of nextRuns)
    expect(new Date(time).toLocaleString("en-GB", { timeZone: "Europe/Berlin" })).toContain("09:00:00");
  await down(stack);
});

test("records the score of an evaluation, and fails a worse revision (evaluations)", async () => {
  const stack = await example("evaluations");
  expect((await up<{ score: number }>(stack)).score).toBe(1);
  const graph = join(stack.folder, "agent", "graph.ts");
  writeFileSync(graph, readFileSync(graph, "utf8").replace("19.90", "25.00"));
  const { code, output } = await stack.up();
  expect(code).not.toBe(0);
  expect(output).toContain("4 of 5 cases passed: the score is 0.8, which is worse than 1");
  expect(output).toContain(
    "Case price (evals/facts.jsonl line 2) failed: the answer is 25, not 20 (tolerance 0.5).",
  );
  await down(stack);
});

test("uses the items in the folder, and sends only a changed file (memory)", async () => {
  const stack = await example("memory");
  const { url } = await up<{ url: string }>(stack);
  expect(await answer(url, "agent", "hours")).toContain("From nine to five");
  writeFileSync(join(stack.folder, "handbook", "hours.md"), "From ten to four.\n");
  world.writes(true);
  await up(stack);
  const writes = world.writes(true).filter(({ request }) => !/\/search$/.test(request));
  // The record of what the resource has written, the item, and the record again.
  expect(writes.map(({ request }) => request.replace(/^.*\/store/, "/store"))).toEqual([
    "/store/items",
    "/store/items",
    "/store/items",
  ]);
  expect(await answer(url, "agent", "hours")).toContain("From ten to four");
  await down(stack);
});

test("promotes a commit to staging, and after approval to production (environments)", async () => {
  const stack = await example("environments");
  const agent = join(stack.folder, "agent");
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
      cwd: agent,
      encoding: "utf8",
    }).trim();
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "The agent");
  const commit = git("rev-parse", "HEAD");
  await stack.config("repoUrl", agent);
  await stack.config("commit", commit);
  const { urls } = await up<{ urls: Record<string, string> }>(stack);
  expect(Object.keys(urls)).toEqual(["development", "staging"]);
  expect(await answer(urls["staging"]!, "agent", "hello")).toBe("staging heard: hello");
  await stack.config("approved", commit.slice(0, 7));
  const { urls: all, serves } = await up<Record<"urls" | "serves", Record<string, string>>>(stack);
  expect(await answer(all["production"]!, "agent", "hello")).toBe("production heard: hello");
  expect(serves).toEqual({ development: commit, staging: commit, production: commit });
  await down(stack);
});

test("creates a listener and a deployment of an image (self-hosted)", async () => {
  const plane = await startControlPlane({
    state: join(world.folder, "simulated"),
    apiKey: canaries.apiKey,
    tenantId: "tenant-1",
    dialect: "langsmith",
  });
  plane.admin.steer({ pace: "at once" });
  try {
    const stack = await example("self-hosted", plane);
    await stack.config("image", "registry.example.com/agents/support:v1");
    const outputs = await up<{ listenerId: string; url: string }>(stack);
    expect(outputs.listenerId).toMatch(/^[0-9a-f-]{36}$/);
    await down(stack);
  } finally {
    await plane.close();
  }
});

import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(400_000);

let world: World;

async function exampleIn(name: string): Promise<Stack> {
  const stack = await world.stack(name);
  rmSync(join(stack.folder, "index.js"));
  cpSync(join(repositoryRoot, "examples", name), stack.folder, { recursive: true });
  return stack;
}

async function up(stack: Stack) {
  const run = await stack.up();
  expect(run.code === 0 ? "" : run.output).toBe("");
  return run;
}

async function outputs(stack: Stack): Promise<Record<string, unknown>> {
  const { stdout } = await stack.run("stack", "output", "--json", "--stack", stack.name);
  return JSON.parse(stdout) as Record<string, unknown>;
}

function edit(stack: Stack, file: string, from: string, to: string): void {
  const path = join(stack.folder, file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

async function isUnchanged(stack: Stack): Promise<void> {
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
}

/** Writes since the last call, without ids. */
const writes = () =>
  world
    .writes(true)
    .map(({ request }) => request.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID"))
    .filter((request) => !/\/(search|count)$/.test(request))
    .map((request) => request.replace("/agents/ID", ""));

describe("with folders and real agents", () => {
  beforeAll(async () => {
    world = await World.start({ dialect: "langsmith", rollout: "real" });
  });
  afterAll(() => world.end());

  test("chat-agent: three assistants answer in their own ways, and a change is a version", async () => {
    const stack = await exampleIn("chat-agent");
    await up(stack);
    const { url, brief, formal } = (await outputs(stack)) as Record<string, string>;
    const ask = async (assistant: string) => {
      const response = await fetch(`${url}/runs/wait`, {
        method: "POST",
        headers: { "content-type": "application/json", "X-Api-Key": world.plane.apiKey },
        body: JSON.stringify({
          assistant_id: assistant,
          input: { messages: [{ role: "user", content: "Are you there?" }] },
        }),
      });
      return JSON.stringify(await response.json());
    };
    expect(await ask(brief!)).toContain("Yes. You asked");
    expect(await ask(formal!)).toContain("Kind regards");
    await isUnchanged(stack);

    edit(stack, "index.ts", 'tone: "brief"', 'tone: "rude"');
    expect((await stack.preview()).output).toContain("context.tone: does not fit the schema of the graph");
    edit(stack, "index.ts", 'tone: "rude"', 'tone: "friendly"');
    writes();
    await up(stack);
    expect(writes()).toEqual(["PATCH /assistants/ID"]);
    expect(await ask(brief!)).toContain("with pleasure");
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });

  test("scheduled-report: there is one cron, and the first report", async () => {
    const stack = await exampleIn("scheduled-report");
    expect((await stack.preview()).output).toMatch(/fires next at 20/);
    await up(stack);
    const found = await outputs(stack);
    expect(found["nextReports"]).toHaveLength(3);
    expect(found["firstReport"]).toMatchObject({
      report: "Nothing unusual about orders in the last 7 days.",
    });
    await isUnchanged(stack);
    edit(stack, "index.ts", "days: 7", "days: 30");
    await up(stack);
    expect((await outputs(stack))["firstReport"]).toMatchObject({ days: 30 });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });

  test("memory: the agent answers with what stands in the folder", async () => {
    const stack = await exampleIn("memory");
    await up(stack);
    expect((await outputs(stack))["answer"]).toMatchObject({
      answer: "Refunds are possible within 14 days.",
    });
    await isUnchanged(stack);
    edit(stack, "handbook/refunds.json", "14 days", "30 days");
    expect((await stack.preview()).output).toContain("1 changed (refunds)");
    writes();
    await up(stack);
    expect(writes().filter((request) => request.includes("store"))).toEqual(["PUT /store/items"]);
    expect((await outputs(stack))["answer"]).toMatchObject({
      answer: "Refunds are possible within 30 days.",
    });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });
});

test("environments: a commit goes from development to staging, and to production once it is approved", async () => {
  world = await World.start({ rollout: "real" });
  try {
    const stack = await exampleIn("environments");
    const agent = join(stack.folder, "agent");
    const git = (...words: string[]) =>
      execFileSync("git", ["-C", agent, ...words], { encoding: "utf8" }).trim();
    const commit = (message: string) => {
      git("add", "--all");
      git("commit", "--quiet", "--message", message);
      return git("rev-parse", "HEAD");
    };
    git("init", "--quiet", "--initial-branch", "main");
    const first = commit("First version");
    for (const [key, value] of Object.entries({ repoUrl: agent, commit: first, approved: first }))
      await stack.config(key, value);
    await up(stack);
    expect(await outputs(stack)).toEqual({ development: first, staging: first, production: first });

    edit(stack, "agent/graph.ts", "You asked", "You have asked");
    const second = commit("Second version");
    await stack.config("commit", second);
    const run = await up(stack);
    expect(run.output).toContain("is verified in staging and waits for approval");
    expect(await outputs(stack)).toEqual({ development: second, staging: second, production: first });

    await stack.config("approved", second);
    writes();
    await up(stack);
    expect(writes()).toEqual(["PATCH /v2/deployments/ID"]);
    expect(await outputs(stack)).toMatchObject({ production: second });
    await isUnchanged(stack);
  } finally {
    await world.end();
  }
});

test("self-hosted: an image runs by a listener of one's own", async () => {
  world = await World.start({ dialect: "langsmith" });
  world.admin.steer({ pace: "at once" });
  try {
    const stack = await exampleIn("self-hosted");
    await up(stack);
    expect(await outputs(stack)).toMatchObject({ listenerId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    await isUnchanged(stack);
    edit(stack, "index.ts", "support:1.4.0", "support:1.5.0");
    await up(stack);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await world.deployments()).toEqual([]);
  } finally {
    await world.end();
  }
});

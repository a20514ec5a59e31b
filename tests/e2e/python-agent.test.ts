import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { VirtualClock } from "../../emulator/index";
import { repositoryRoot } from "../../tools/repository";
import { describeWithPython } from "../emulator/rollout/runtimes/python/available";
import { canaries } from "./canaries";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(300_000);

const clock = new VirtualClock();

const program = `
const agent = new Deployment("agent", {
  name: "python-agent", source: "internal_source", sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" }, secrets: { GREETING: config.requireSecret("greeting") },
});
const thread = new Thread("diary", { deployment: agent, graph: "agent", forceDelete: true });
new Cron("daily", {
  deployment: agent, assistant: "agent", schedule: "0 * * * *", threadId: thread.threadId,
  input: { messages: [{ role: "user", content: "hourly" }] },
});
exports.thread = thread.threadId;
`;

describeWithPython("tests/e2e/python-agent.test.ts")("a Python agent", () => {
  let world: World;
  let stack: Stack;

  beforeAll(async () => {
    world = await World.start({ dialect: "langsmith", rollout: "real", clock });
    stack = await world.stack("python-agent");
    const agent = join(repositoryRoot, "examples", "python-agent", "agent");
    cpSync(agent, join(stack.folder, "agent"), { recursive: true });
    stack.program(program);
    await stack.config("greeting", canaries.greeting, "--secret");
  });
  afterAll(() => world?.end());

  const file = (name: string): string => join(stack.folder, "agent", name);
  const edit = (name: string, from: string, to: string): void =>
    writeFileSync(file(name), readFileSync(file(name), "utf8").replace(from, to));

  /** Sends a request to the deployed agent server. */
  async function ask<Answer>(path: string, body?: object): Promise<Answer> {
    const { outputs } = (await stack.resource("agent"))!;
    const answer = await fetch(`${outputs!["url"] as string}${path}`, {
      headers: { "content-type": "application/json", "X-Api-Key": world.plane.apiKey },
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    });
    return (await answer.json()) as Answer;
  }

  /** Returns the agent's response. */
  async function say(content: string): Promise<string> {
    const input = { messages: [{ role: "user", content }] };
    const { messages } = await ask<{ messages: { content: string }[] }>("/runs/wait", {
      assistant_id: "agent",
      input,
    });
    return messages.at(-1)!.content;
  }

  /** Waits until the cron has this number of completed runs. */
  async function fired(count: number): Promise<void> {
    const thread = (await stack.resource("diary"))!.id!.split("/").at(-1)!;
    let done = 0;
    while (done !== count) {
      const runs = await ask<{ status: string }[]>(`/threads/${thread}/runs`);
      done = runs.filter(({ status }) => status === "success").length;
      await sleep(100);
    }
  }

  async function up(): Promise<string> {
    const { code, output } = await stack.up();
    expect(code === 0 ? "" : output).toBe("");
    return output;
  }

  async function failedUp(): Promise<string> {
    const { code, output } = await stack.up();
    expect(code).not.toBe(0);
    return output;
  }

  test("is deployed with its secrets, and responds", async () => {
    await up();
    expect(await say("hello there")).toBe(
      `${canaries.greeting}! You asked: "Hello There" — your Python agent`,
    );
  });

  test("runs at the times that its cron specifies", async () => {
    await clock.advance(60 * 60_000);
    await fired(1);
  });

  test("keeps its store across a change to its code", async () => {
    await say("note buy milk");
    edit("agent.py", "You asked", "So you ask");
    await up();
    expect(await say("what do you know")).toContain('So you ask: "What Do You Know" I know: buy milk.');
  });

  test("keeps the old revision while an import is broken, and reports the location of the error", async () => {
    edit("agent.py", "import os", "import os\n\nimport nowhere_to_be_found");
    const output = await failedUp();
    expect(output).toContain("No module named 'nowhere_to_be_found' (at agent.py:3)");
    expect(await say("still there")).toContain("I know: buy milk.");
  });

  test("keeps the old revision while a requirement cannot be installed", async () => {
    edit("agent.py", "import nowhere_to_be_found", "import titlecase as _");
    edit("requirements.txt", "titlecase==2.4.1", "titlecase==2.4.1\nagentserver-no-such-package==9.9");
    const output = await failedUp();
    expect(output).toContain("agentserver-no-such-package");
    expect(await say("still there")).toContain("So you ask");
  });

  test("is rolled out again after the fix, with its existing cron and store", async () => {
    edit("requirements.txt", "\nagentserver-no-such-package==9.9", "");
    edit("agent.py", "So you ask", "You ask again");
    await up();
    expect(await say("note buy bread")).toContain(
      'You ask again: "Note Buy Bread" I know: buy bread, buy milk.',
    );
    await clock.advance(60 * 60_000);
    await fired(2);
  });

  test("is deleted on destroy, and leaves no processes running", async () => {
    const { code, output } = await stack.destroy();
    expect(code === 0 ? "" : output).toBe("");
    expect(await world.deployments()).toEqual([]);
  });
});

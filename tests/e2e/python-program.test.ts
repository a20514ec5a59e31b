import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Progress } from "../../tools/progress";
import { ensurePythonProgram, type PythonProgram } from "../../tools/python/program";
import { ask } from "../../tools/quickstart/question";
import { repositoryRoot } from "../../tools/repository";
import { Repository } from "../emulator/rollout/repository";
import { describeWithPython } from "../emulator/rollout/runtimes/python/available";
import { canaries } from "./canaries";
import { EngineRun } from "./engine-run";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(300_000);

const example = join(repositoryRoot, "examples", "python-program");

describeWithPython("tests/e2e/python-program.test.ts")("a Python program", () => {
  const repository = new Repository();
  const files = Object.fromEntries(
    ["agent.py", "langgraph.json", "requirements.txt"].map((name) => [
      name,
      readFileSync(join(example, "agent", name), "utf8"),
    ]),
  );
  let world: World;
  let stack: Stack;
  let python: PythonProgram;

  beforeAll(async () => {
    world = await World.start({ rollout: "real" });
    const options = { env: process.env, progress: new Progress() };
    python = await ensurePythonProgram(join(world.folder, "sdk"), options);
    const repoRef = repository.commit(files);
    stack = await world.stack("python-program");
    cpSync(join(example, "__main__.py"), join(stack.folder, "__main__.py"));
    const project = readFileSync(join(example, "Pulumi.yaml"), "utf8");
    writeFileSync(join(stack.folder, "Pulumi.yaml"), project.replace("path: ", "path: ../"));
    await stack.config("repoUrl", repository.folder);
    await stack.config("repoRef", repoRef);
    await stack.config("greeting", canaries.greeting, "--secret");
  });
  afterAll(() => world?.end());

  async function run(command: string): Promise<EngineRun> {
    const [interpreter, script] = python.command;
    const run = new EngineRun(interpreter, [script, "python-program", command], {
      cwd: stack.folder,
      env: { ...world.environment, ...python.env },
      eventLog: join(stack.folder, "events.jsonl"),
    });
    await run.ended;
    expect(run.code === 0 ? "" : run.output).toBe("");
    return run;
  }

  /** Returns the requests that may have changed something, without searches. */
  const requests = () =>
    world
      .writes(true)
      .map(({ request }) => request.replace(/[0-9a-f-]{36}/g, "{id}"))
      .filter((request) => !request.endsWith("/search"));

  async function answer(): Promise<string> {
    const { outputs } = (await stack.resource("agent"))!;
    return ask(String(outputs!["url"]), world.plane, "hi");
  }

  test("deploys a Python agent with its contents", async () => {
    const preview = await run("preview");
    expect(preview.output).toContain("+ 4 to create");
    expect(requests()).toEqual([]);
    await run("up");
    expect(requests()).toEqual([
      "POST /v2/deployments",
      "POST /agents/{id}/assistants",
      // The record of the items that the resource has written, and the item.
      "PUT /agents/{id}/store/items",
      "PUT /agents/{id}/store/items",
    ]);
    expect(await answer()).toContain(`${canaries.greeting}! You asked: "Hi" I know: this program.`);
  });

  test("changes nothing without a change, and nothing in a refresh", async () => {
    requests();
    for (const command of ["preview", "up", "refresh"])
      expect((await run(command)).output).toContain("4 unchanged");
    expect(requests()).toEqual([]);
  });

  test("rolls out a new commit as one revision", async () => {
    const repoRef = repository.commit({
      ...files,
      "agent.py": files["agent.py"]!.replace("I know", "I remember"),
    });
    await stack.config("repoRef", repoRef);
    await run("up");
    expect(requests()).toEqual(["PATCH /v2/deployments/{id}"]);
    expect(await answer()).toContain("I remember: this program.");
  });

  test("deletes everything", async () => {
    requests();
    await run("destroy");
    expect(await world.deployments()).toEqual([]);
  });
});

import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runGo } from "../../tools/dev-engine/build";
import { Progress } from "../../tools/progress";
import { ensurePythonProgram } from "../../tools/python/program";
import { ask } from "../../tools/quickstart/question";
import { repositoryRoot } from "../../tools/repository";
import { buildFlags, createGoModule } from "../../tools/sdks/go-module";
import { Repository } from "../emulator/rollout/repository";
import { describeWithPython } from "../emulator/rollout/runtimes/python/available";
import { canaries } from "./canaries";
import type { EngineRun } from "./engine-run";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(300_000);

const example = join(repositoryRoot, "examples", "python-program");
const agentFiles = Object.fromEntries(
  ["agent.py", "langgraph.json", "requirements.txt"].map((name) => [
    name,
    readFileSync(join(example, "agent", name), "utf8"),
  ]),
);
describeWithPython("tests/e2e/language-programs.test.ts")("programs in other languages", () => {
  const repository = new Repository();
  let world: World;
  /** Command for running a program, by its language. */
  const commands: Record<string, [string, ...string[]]> = {};
  let pythonEnvironment: Record<string, string>;

  beforeAll(async () => {
    world = await World.start({ rollout: "real" });
    const sdks = join(world.folder, "sdks");
    const python = await ensurePythonProgram(sdks, { env: process.env, progress: new Progress() });
    pythonEnvironment = python.env;
    commands["python-program"] = python.command;
    const module = join(world.folder, "go");
    createGoModule(module, join(sdks, "go"), {
      "main.go": readFileSync(join(__dirname, "go-program", "main.go"), "utf8"),
    });
    await runGo(["build", ...buildFlags, "-o", "program"], module, { env: process.env, report: () => {} });
    commands["go-program"] = [join(module, "program")];
  });
  afterAll(() => world?.end());

  describe.each<[name: string, more: string[]]>([
    ["python-program", []],
    ["go-program", ["POST /agents/{id}/runs/crons", "POST /agents/{id}/threads"]],
  ])("%s", (name, more) => {
    const count = 4 + more.length;
    const runtime = name.replace("-program", "");
    let stack: Stack;

    /**
     * Sets the language runtime of the project. The programs work with any runtime, because they start the engine
     * themselves.
     */
    function useRuntime(runtime: string): void {
      const plugins = "{ providers: [{ name: agentserver, path: ../node_modules/.bin }] }";
      stack.write("Pulumi.yaml", `name: ${name}\nruntime: ${runtime}\nplugins: ${plugins}\n`);
    }

    beforeAll(async () => {
      stack = await world.stack(name);
      useRuntime(runtime);
      if (runtime === "python") cpSync(join(example, "__main__.py"), join(stack.folder, "__main__.py"));
      await stack.config("repoUrl", repository.folder);
      await stack.config("repoRef", repository.commit(agentFiles));
      await stack.config("greeting", canaries.greeting, "--secret");
    });
    beforeEach(() => world.admin.clearJournal());

    const start = (command: string) =>
      world.startProgram([...commands[name]!, name, command], stack.folder, pythonEnvironment);

    async function succeed(command: string): Promise<EngineRun> {
      const run = start(command);
      await run.ended;
      expect(run.code === 0 ? "" : run.output).toBe("");
      return run;
    }

    async function runEngine(command: string, ...words: string[]): Promise<void> {
      const run = await stack.run(command, ...words);
      expect(run.code === 0 ? "" : run.output).toBe("");
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
      const preview = await succeed("preview");
      expect(preview.output).toContain(`+ ${count} to create`);
      expect(requests()).toEqual([]);
      await succeed("up");
      const [first, ...others] = requests();
      expect(first).toBe("POST /v2/deployments");
      expect(others.sort()).toEqual([
        "POST /agents/{id}/assistants",
        ...more,
        // The record of the items that the resource has written, and the item.
        "PUT /agents/{id}/store/items",
        "PUT /agents/{id}/store/items",
      ]);
      expect(await answer()).toContain(`${canaries.greeting}! You asked: "Hi" I know: this program.`);
    });

    test("changes nothing in an update or a refresh if the program is unchanged", async () => {
      for (const command of ["preview", "up", "refresh"])
        expect((await succeed(command)).output).toContain(`${count} unchanged`);
      expect(requests()).toEqual([]);
    });

    test("continues a rollout of a new commit after Ctrl-C", async () => {
      const changed = agentFiles["agent.py"]!.replace("I know", "I remember");
      await stack.config("repoRef", repository.commit({ ...agentFiles, "agent.py": changed }));
      const run = start("up");
      await run.reaches(() => world.admin.journal({ method: "PATCH" }).length > 0);
      run.interrupt();
      await run.ended;
      expect(run.code).toBe(1);
      expect(run.output).toContain("run the same command again to resume it");
      await succeed("up");
      expect(requests()).toEqual(["PATCH /v2/deployments/{id}"]);
      expect(await answer()).toContain("I remember: this program.");
    });

    test("imports the agent and its contents after their state has been lost", async () => {
      const { id, urn } = (await stack.resource("agent"))!;
      const { resources } = await stack.state();
      const lost = resources.filter(({ type }) => type.startsWith("agentserver:"));
      // `pulumi import` requires a language host, which generates code but does not run the program.
      if (runtime === "go") useRuntime("nodejs");
      const flags = ["--yes", "--stack", name];
      await runEngine("state", "delete", urn, "--target-dependents", ...flags);
      const imports = lost.map(({ type, urn: one, id: own }) => ({
        type,
        name: one.split("::").at(-1),
        id: one === urn ? id : `${id}/${own}`,
      }));
      stack.write("import.json", JSON.stringify({ resources: imports }));
      const options = ["--protect=false", "--skip-preview", "--out", "imported"];
      await runEngine("import", "--file", "import.json", ...options, ...flags);
      expect(imports).toHaveLength(count - 1);
      const code = readFileSync(join(stack.folder, "imported"), "utf8");
      const constructor = runtime === "go" ? "new agentserver." : "agentserver.";
      for (const { type, name } of imports)
        expect(code).toContain(`${constructor}${type.split(":").at(-1)!}("${name}"`);
      if (runtime === "python") {
        const program = readFileSync(join(stack.folder, "__main__.py"), "utf8");
        stack.write("__main__.py", code);
        expect((await succeed("preview")).output).toContain(`${count} unchanged`);
        stack.write("__main__.py", program);
      }
      useRuntime(runtime);
      await succeed("up");
      // The import has read everything, including the secret and the contents, so nothing is written.
      expect(requests()).toEqual([]);
    });

    test("deletes everything", async () => {
      await succeed("destroy");
      expect(await world.deployments()).toEqual([]);
    });
  });
});

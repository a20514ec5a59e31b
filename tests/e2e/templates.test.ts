import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { devDependencies, peerDependencies, version } from "../../package.json";
import { run } from "../../tools/process";
import { Progress } from "../../tools/progress";
import { ensurePythonProgram, type PythonProgram } from "../../tools/python/program";
import { compiler, repositoryRoot } from "../../tools/repository";
import { describeWithPython } from "../emulator/rollout/runtimes/python/available";
import { readJson } from "../json";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(300_000);

const templates = join(repositoryRoot, "templates");
const name = "my-agent";

let world: World;
beforeAll(async () => {
  world = await World.start({ dialect: "langsmith", rollout: "real" });
});
afterAll(() => world?.end());

/** Creates a project from a template with `pulumi new`, and a stack for it. */
async function create(language: string): Promise<Stack> {
  const stack = await world.stack(`${name}-${language}`);
  const { folder } = stack;
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  // `pulumi new` only needs to start a language host, and an engine on the PATH may have none for Python.
  const hosts = join(world.folder, "hosts");
  mkdirSync(hosts, { recursive: true });
  const host = join(world.engine.binFolder, "pulumi-language-nodejs");
  if (!existsSync(join(hosts, "pulumi-language-python")))
    symlinkSync(host, join(hosts, "pulumi-language-python"));
  const template = join(templates, `agentserver-${language}`);
  const options = ["--generate-only", "--offline", "--yes", "--name", `${name}-${language}`];
  const { code, stderr } = await run(world.engine.pulumi, ["new", template, ...options, "--dir", folder], {
    cwd: folder,
    env: { ...world.environment, PATH: `${world.environment["PATH"]}${delimiter}${hosts}` },
  });
  expect(code === 0 ? "" : stderr).toBe("");
  return stack;
}

/** Returns the response of the deployed agent. */
async function answer(stack: Stack): Promise<string> {
  const { outputs } = (await stack.resource("agent"))!;
  const response = await fetch(`${outputs!["url"] as string}/runs/wait`, {
    method: "POST",
    headers: { "content-type": "application/json", "X-Api-Key": world.plane.apiKey },
    body: JSON.stringify({ assistant_id: "agent", input: { messages: [{ role: "user", content: "you" }] } }),
  });
  return JSON.stringify(await response.json());
}

test("creates a TypeScript project that compiles and deploys its agent", async () => {
  const stack = await create("typescript");
  expect(readdirSync(stack.folder).sort()).toEqual(
    [".gitignore", "Pulumi.yaml", "agent", "index.ts", "package.json", "tsconfig.json"].sort(),
  );
  expect(readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8")).not.toMatch(/^template:|\$\{/m);
  expect(readJson(readFileSync(join(stack.folder, "package.json"), "utf8"))).toHaveProperty(
    "name",
    `${name}-typescript`,
  );
  const types = await run(process.execPath, [compiler, "--noEmit", "-p", stack.folder], {
    cwd: stack.folder,
  });
  expect(types).toMatchObject({ code: 0, stdout: "" });

  const up = await stack.up();
  expect(up.code === 0 ? "" : up.output).toBe("");
  expect(await answer(stack)).toContain("Hello, you!");
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});

test("installs the versions that this package supports", () => {
  const read = (path: string) => readFileSync(join(templates, path), "utf8");
  const { dependencies, devDependencies: development } = readJson<Record<string, object>>(
    read("agentserver-typescript/package.json"),
  );
  expect(dependencies).toEqual({ ...peerDependencies, "pulumi-agentserver": `^${version}` });
  const major = (one: string) => /^\d+/.exec(one)![0];
  expect(development).toEqual({
    "@types/node": `^${major(devDependencies["@types/node"])}.0.0`,
    typescript: `^${major(devDependencies.typescript)}.0.0`,
  });
  expect(read("agentserver-python/requirements.txt")).toContain(`pulumi-agentserver>=${version},`);
});

test("contains the same agent as the local-folder example", () => {
  for (const file of ["graph.ts", "langgraph.json"]) {
    const read = (folder: string) => readFileSync(join(repositoryRoot, folder, "agent", file), "utf8");
    expect(read("templates/agentserver-typescript")).toBe(read("examples/local-folder"));
  }
});

describeWithPython("tests/e2e/templates.test.ts")("with Python", () => {
  let python: PythonProgram;
  beforeAll(async () => {
    const options = { env: process.env, progress: new Progress() };
    python = await ensurePythonProgram(join(world.folder, "sdks"), options);
  });

  test("creates a Python project that mypy accepts and that deploys its agent", async () => {
    const stack = await create("python");
    expect(readdirSync(stack.folder).sort()).toEqual(
      [".gitignore", "Pulumi.yaml", "__main__.py", "agent", "requirements.txt"].sort(),
    );
    const [interpreter, script] = python.command;
    const types = await run(
      interpreter,
      ["-m", "mypy", "--strict", "--follow-imports=silent", "__main__.py"],
      { cwd: stack.folder, env: { ...process.env, MYPYPATH: python.env["PYTHONPATH"]! } },
    );
    expect(types.code === 0 ? "" : types.stdout).toBe("");

    const plugin = { name: "agentserver", path: "../node_modules/.bin" };
    const project = readFileSync(join(stack.folder, "Pulumi.yaml"), "utf8");
    stack.write("Pulumi.yaml", `${project}plugins: ${JSON.stringify({ providers: [plugin] })}\n`);
    const runProgram = async (command: string) => {
      const words: [string, ...string[]] = [interpreter, script, `${name}-python`, command];
      const program = world.startProgram(words, stack.folder, python.env);
      await program.ended;
      expect(program.code === 0 ? "" : program.output).toBe("");
      return program.output;
    };
    await runProgram("up");
    expect(await answer(stack)).toContain("Hello, you!");
    expect(await runProgram("preview")).toMatch(/2 unchanged/);
    await runProgram("destroy");
  });
});

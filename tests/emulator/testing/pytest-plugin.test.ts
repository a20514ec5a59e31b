import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "../../../tools/build/ensure-built";
import { run, type RunResult } from "../../../tools/process";
import { ensurePythonEnvironment } from "../../../tools/python/environment";
import { pythonRequirements } from "../../../tools/python/program";
import { pytestPluginFolder } from "../../../tools/python/pytest-plugin";
import { repositoryRoot } from "../../../tools/repository";
import { noProcessOf, processesOf } from "../../e2e/processes";
import { until } from "../../e2e/waiting";
import { temporaryFolder, writeFile } from "../../tools/temporary-folder";
import { describeWithPython } from "../rollout/runtimes/python/available";

jest.setTimeout(180_000);

describeWithPython("tests/emulator/testing/pytest-plugin.test.ts")("the plugin for pytest", () => {
  let python: string;

  beforeAll(async () => {
    await ensureBuilt();
    const environment = await ensurePythonEnvironment(pythonRequirements, process.env);
    if ("missing" in environment) throw new Error(environment.missing);
    python = environment.python;
  });

  /** Creates a folder that contains tests and an installed local control plane. */
  function suite(files: Record<string, string>): string {
    const folder = temporaryFolder(files);
    mkdirSync(join(folder, "node_modules"));
    const installed = join(folder, "node_modules", "agentserver-emulator");
    symlinkSync(join(repositoryRoot, "emulator"), installed, "dir");
    return folder;
  }

  const words = [
    "-m",
    "pytest",
    "-p",
    "pytest_agentserver.plugin",
    "-p",
    "no:cacheprovider",
    "--strict-markers",
  ];
  const env = { ...process.env, PYTHONPATH: pytestPluginFolder, PYTHONDONTWRITEBYTECODE: "1" };

  const pytest = (folder: string, more: NodeJS.ProcessEnv = {}): Promise<RunResult> =>
    run(python, words, { cwd: folder, env: { ...env, ...more } });

  const simple = {
    "test_simple.py": `
def test_first(agentserver):
    assert agentserver.journal() == []
def test_second(agentserver):
    assert agentserver.journal() == []
`,
  };

  test("provides a separate control plane to each test, and ends all processes", async () => {
    const folder = suite({});
    cpSync(join(__dirname, "pytest"), folder, { recursive: true });
    // Requests to the local control plane must not use a proxy.
    const { code, stdout, stderr } = await pytest(folder, { HTTP_PROXY: "http://127.0.0.1:9" });
    expect(code === 0 ? "" : stdout + stderr).toBe("");
    expect(stdout).toContain("17 passed");
    await noProcessOf(folder);
  });

  test("explains how to install the local control plane", async () => {
    const { code, stdout } = await pytest(temporaryFolder(simple));
    expect(code).toBe(1);
    expect(stdout).toContain("agentserver-emulator is not installed in ");
    expect(stdout).toContain("`npm install --save-dev agentserver-emulator pulumi-agentserver`");
    expect(stdout).toContain("2 errors");
  });

  test("finds the local control plane in the configured folder", async () => {
    const folder = suite({});
    const { code, stdout } = await pytest(
      temporaryFolder({ ...simple, "pytest.ini": `[pytest]\nagentserver_packages = ${folder}\n` }),
    );
    expect(code === 0 ? "" : stdout).toBe("");
  });

  test("reports that Node.js is missing, and shows the output of an outdated version", async () => {
    const missing = suite({ ...simple, "pytest.ini": "[pytest]\nagentserver_node = no-such-node\n" });
    expect((await pytest(missing)).stdout).toContain(
      "The Node.js command `no-such-node` was not found. Install Node.js 24 or later",
    );
    const failing = suite(simple);
    writeFile(join(failing, "old-node"), "#!/bin/sh\necho 'SyntaxError: of an old Node.js' >&2\nexit 1\n");
    writeFile(join(failing, "pytest.ini"), `[pytest]\nagentserver_node = ${join(failing, "old-node")}\n`);
    const { stdout } = await pytest(failing);
    expect(stdout).toContain("The local control plane ended unexpectedly (exit code 1).");
    expect(stdout).toContain("It requires Node.js 24 or later: check ");
    expect(stdout).toContain("SyntaxError: of an old Node.js");
  });

  test("rejects unknown marker options", async () => {
    const folder = suite({
      "test_options.py": `
import pytest
@pytest.mark.agentserver(dialect="unknown")
def test_dialect(agentserver): pass
@pytest.mark.agentserver(dialetc="langsmith")
def test_option(agentserver): pass
`,
    });
    const { stdout } = await pytest(folder);
    expect(stdout).toContain("The dialect must be interface or langsmith, but is 'unknown'.");
    expect(stdout).toContain("dialetc");
    expect(stdout).toContain("2 errors");
  });

  test("ends the local control plane if pytest is killed", async () => {
    const folder = suite({
      "test_endless.py": `
import time
def test_endless(agentserver):
    agentserver.steer(pace={"after_seconds": 5})
    open("started", "w").close()
    time.sleep(120)
`,
    });
    const child: ChildProcess = spawn(python, words, { cwd: folder, env });
    await until(() => processesOf(folder).some(({ command }) => command.includes("server.js")));
    child.kill("SIGKILL");
    await noProcessOf(folder);
  });

  test("stops everything after Ctrl-C during a test", async () => {
    const folder = suite({
      "test_endless.py": `
import os, signal
def test_interrupted(agentserver):
    os.killpg(0, signal.SIGINT)
`,
    });
    const child: ChildProcess = spawn(python, words, { cwd: folder, env, detached: true });
    let output = "";
    for (const stream of [child.stdout!, child.stderr!])
      stream.on("data", (text) => (output += String(text)));
    await new Promise((resolve) => child.on("close", resolve));
    expect(output).toContain("KeyboardInterrupt");
    expect(output).not.toContain("ended unexpectedly");
    await noProcessOf(folder);
  });
});

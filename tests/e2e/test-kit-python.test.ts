import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ensureEngine } from "../../tools/dev-engine/ensure";
import { engineEnvironment } from "../../tools/dev-engine/environment";
import { run, type RunResult } from "../../tools/process";
import { Progress } from "../../tools/progress";
import { ensurePythonProgram, installPythonPackage } from "../../tools/python/program";
import { copyPytestPlugin } from "../../tools/python/pytest-plugin";
import { repositoryRoot } from "../../tools/repository";
import { describeWithPython } from "../emulator/rollout/runtimes/python/available";
import { temporaryFolder } from "../tools/temporary-folder";
import { installPacked } from "./packed-package";
import { installPolicyPack } from "./policy-pack-installed";
import { noProcessOf } from "./processes";

jest.setTimeout(600_000);

describeWithPython("tests/e2e/test-kit-python.test.ts")("the test kit for pytest", () => {
  let folder: string;
  let python: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = temporaryFolder();
    cpSync(join(repositoryRoot, "examples", "testing-python"), folder, {
      recursive: true,
      filter: (path) => !/node_modules|__pycache__|_cache/.test(path),
    });
    await installPacked(folder);
    await installPolicyPack(folder);
    const modules = join(folder, "node_modules");
    symlinkSync(join(repositoryRoot, "emulator"), join(modules, "agentserver-emulator"), "dir");
    const program = await ensurePythonProgram(join(folder, "sdk"), {
      env: process.env,
      progress: new Progress(),
    });
    python = program.command[0];
    const packages = program.env["PYTHONPATH"]!;
    copyPytestPlugin(join(folder, "plugin"));
    await installPythonPackage(python, join(folder, "plugin"), packages, { env: process.env });
    const engine = await ensureEngine();
    const own = Object.entries(process.env).filter(([name]) => !/^(AGENTSERVER|PULUMI)_/.test(name));
    const temporary = join(folder, "temporary");
    mkdirSync(temporary);
    env = {
      ...engineEnvironment({
        engine,
        stateFolder: join(folder, "engine"),
        passphrase: "open",
        env: { ...Object.fromEntries(own), ...program.env },
      }),
      TMPDIR: temporary,
      // The user's settings for another control plane.
      AGENTSERVER_REGION: "eu",
      AGENTSERVER_ACCESS_TOKEN: "token-of-the-user",
      AGENTSERVER_DIALECT: "langsmith",
      AGENTSERVER_OFFLINE: "true",
      PYTHONDONTWRITEBYTECODE: "1",
    };
  });

  const runPython = (...args: string[]): Promise<RunResult> => run(python, args, { cwd: folder, env });

  test("runs the example's tests, and leaves no stacks or processes", async () => {
    const { code, stdout, stderr } = await runPython(
      "-m",
      "pytest",
      "-p",
      "no:cacheprovider",
      "test_program.py",
    );
    expect(code === 0 ? "" : stdout + stderr).toBe("");
    expect(stdout).toContain("5 passed");
    expect(readdirSync(join(folder, "temporary")).filter((name) => name.startsWith("agentserver-"))).toEqual(
      [],
    );
    expect(existsSync(join(folder, "engine", "stacks", ".pulumi"))).toBe(false);
    await noProcessOf(folder);
  });

  test("deploys folders and several stacks, and reports failing programs", async () => {
    cpSync(join(__dirname, "test-kit", "test_further.py"), join(folder, "test_further.py"));
    const { code, stdout, stderr } = await runPython(
      ...["-m", "pytest", "-p", "no:cacheprovider", "test_further.py"],
    );
    expect(code === 0 ? "" : stdout + stderr).toBe("");
    expect(stdout).toContain("5 passed");
  });

  test("provides types with which the example passes the type check (mypy)", async () => {
    const { stdout } = await runPython(
      ...["-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", join(folder, "mypy")],
      ...["program.py", "test_program.py", join("plugin", "pytest_agentserver")],
    );
    expect(stdout).toContain("Success");
  });
});

import { cpSync, realpathSync, symlinkSync, unlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { ensureEngine } from "../../../../tools/dev-engine/ensure";
import { engineEnvironment } from "../../../../tools/dev-engine/environment";
import { run } from "../../../../tools/process";
import { ensurePythonEnvironment } from "../../../../tools/python/environment";
import { pythonRequirements } from "../../../../tools/python/program";
import { describeWithPython } from "../../../emulator/rollout/runtimes/python/available";
import { temporaryFolder } from "../../temporary-folder";
import { hostBinary } from "./host";

let fixtures: string;
let pulumi: (program: string, ...pulumiArguments: string[]) => ReturnType<typeof run>;

/** Copies the programs to a folder that the engine may write to, with access to the packages of this project. */
function copyOfFixtures(): string {
  const folder = realpathSync(temporaryFolder());
  cpSync(join(__dirname, "fixtures"), folder, { recursive: true });
  symlinkSync(join(__dirname, "../../../../node_modules"), join(folder, "node_modules"));
  return folder;
}

beforeAll(async () => {
  fixtures = copyOfFixtures();
  const engine = await ensureEngine();
  // The path contains a space to test quoting.
  const env = engineEnvironment({
    engine,
    stateFolder: join(temporaryFolder(), "a state"),
    passphrase: "open",
  });
  env.PATH = [dirname(await hostBinary()), env.PATH].join(delimiter);
  pulumi = async (program, ...pulumiArguments) => {
    const cwd = join(fixtures, program);
    return run(engine.pulumi, ["--non-interactive", "--color=never", ...pulumiArguments], { cwd, env });
  };
}, 600_000);

const settings = { name: "world", password: "opensesame" };
let stacks = 0;

/** Previews a program in a new stack with this secret configuration. */
async function preview(program: string, secrets: Record<string, string> = {}, ...previewArguments: string[]) {
  const stack = [`--stack=test${++stacks}`];
  const steps = [
    ["stack", "init", `test${stacks}`],
    ...Object.entries(secrets).map(([key, value]) => ["config", "set", "--secret", key, value, ...stack]),
  ];
  for (const step of steps) expect(await pulumi(program, ...step)).toMatchObject({ code: 0 });
  return pulumi(program, "preview", ...stack, ...previewArguments);
}

test("runs a program in the folder that `main` specifies, with its configuration and secrets", async () => {
  const result = await preview("succeeds", settings);

  expect(result).toMatchObject({ code: 0 });
  expect(result.stdout).toContain(`folder  : "${join(fixtures, "succeeds", "program")}"`);
  expect(result.stdout).toContain("dryRun  : true");
  expect(result.stdout).toContain("length  : 10");
  expect(result.stdout).toContain("password: [secret]");
  expect(result.stdout).not.toContain("opensesame");
});

test("reports an error in a program only once", async () => {
  const result = await preview("throws");

  expect(result.code).not.toBe(0);
  expect(result.stdout.match(/Error: the program is broken/g)).toHaveLength(1);
  expect(result.stdout).not.toContain("exited with non-zero exit code");
});

test("runs a TypeScript program with the project's arguments for Node.js", async () => {
  const result = await preview("typescript");

  expect(result).toMatchObject({ code: 0 });
  expect(result.stdout).toMatch(/stackTraceLimit: 3\s+value\s+: 42/);
});

test("runs a policy pack, and passes the stack name and its configuration", async () => {
  const result = await preview("succeeds", settings, `--policy-pack=${join(fixtures, "policy")}`);

  expect(result.code).not.toBe(0);
  expect(result.stdout).toMatch(/the stack succeeds-(test\d+) is refused: \1 greets 5/);
});

test("shows all output of a program that writes a lot and exits immediately", async () => {
  const result = await preview("noisy");

  // The engine prints each line when the program writes it, and again in the summary.
  expect(result.stdout.match(/x{1023}/g)).toHaveLength(2 * 2048);
  expect(result.stdout).toContain("last words on stdout");
  expect(result.stdout).toContain("last words on stderr");
  expect(result.stdout).toContain("Program exited with non-zero exit code: 1");
});

describeWithPython("tests/tools/dev-engine/language-host/engine.test.ts")("with Python", () => {
  beforeAll(async () => {
    const environment = await ensurePythonEnvironment(pythonRequirements, process.env);
    if ("missing" in environment) throw new Error(environment.missing);
    symlinkSync(dirname(dirname(environment.python)), join(fixtures, "python", "venv"));
  });

  test("runs a program in a virtual environment with its configuration and secrets", async () => {
    const result = await preview("python", settings);

    expect(result.code === 0 ? "" : result.stdout + result.stderr).toBe("");
    expect(result.stdout).toContain('greeting: "hello [secret]"');
    expect(result.stdout).toContain("dryRun  : true");
    expect(result.stdout).toMatch(/stack\s*: "test\d+"/);
    expect(result.stdout).toContain("password: [secret]");
    expect(result.stdout).not.toContain("opensesame");
  });

  test("reports an error in a program once, with a traceback that starts in the program", async () => {
    const result = await preview("python", { ...settings, broken: "true" });

    expect(result.code).not.toBe(0);
    expect(result.stdout.match(/ValueError: the program is broken/g)).toHaveLength(1);
    expect(result.stdout).toContain('__main__.py", line 5');
    expect(result.stdout).not.toContain("runpy");
    expect(result.stdout).not.toContain("exited with non-zero exit code");
  });

  test("reports that the virtual environment is missing, and how to create it", async () => {
    unlinkSync(join(fixtures, "python", "venv"));
    const result = await preview("python", settings);

    expect(result.code).not.toBe(0);
    expect(result.stdout + result.stderr).toContain(
      "The virtual environment venv does not exist. Run `python3 -m venv venv`",
    );
  });
});

import { execFile } from "node:child_process";
import { join } from "node:path";
import { type CommandProcess, exitCodeOf } from "../../cli/command-process";
import { validateManifests, type ValidateOptions } from "../../cli/validate/validate-manifests";
import { ensureBuilt } from "../../tools/build/ensure-built";
import { repositoryRoot } from "../../tools/repository";
import { manifestText, overlayText } from "../sdk/manifests/manifest-text";
import { temporaryFolder } from "../tools/temporary-folder";

const good = { "deployments/support.yaml": manifestText() };
const bad = { ...good, "deployments/sales.yaml": manifestText("adopt: perhaps\nsource_config: {}", "sales") };

const validate = (files: Record<string, string>, options: Partial<ValidateOptions> = {}) =>
  validateIn(temporaryFolder(files), options);

async function validateIn(cwd: string, options: Partial<ValidateOptions> = {}) {
  const written = { stdout: "", stderr: "" };
  const into = (stream: "stdout" | "stderr") => ({
    isTTY: false,
    write: async (text: string) => void (written[stream] += text),
  });
  const surroundings = {
    cwd,
    stdout: into("stdout"),
    stderr: into("stderr"),
    signal: new AbortController().signal,
  } as unknown as CommandProcess;
  const all: ValidateOptions = { stack: [], allowEmpty: false, format: "text", ...options };
  const code = await exitCodeOf((command) => validateManifests(command, "deployments", all), surroundings);
  return { code, ...written };
}

test("prints nothing to standard output for valid manifests", async () => {
  expect(await validate(good)).toEqual({
    code: 0,
    stdout: "",
    stderr: "agentserver: 1 deployment is valid\n",
  });
});

test("accepts the manifests in the guide", async () => {
  const { code, stderr } = await validateIn(join(repositoryRoot, "examples", "guides"));
  expect(stderr).toContain("1 deployment is valid\n");
  expect(code).toBe(0);
});

test("prints one line per error with its location and exits with code 2", async () => {
  const { code, stdout, stderr } = await validate(bad);
  expect(code).toBe(2);
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(/^deployments\/sales\.yaml:8:10: spec\.adopt: invalid option/),
    "deployments/sales.yaml:9:3: spec.source_config: is not a field; did you mean sourceConfig?",
    "",
  ]);
  expect(stderr).toBe("agentserver: 2 errors\n");
});

test("lists all files and variables that the manifests read", async () => {
  const files = {
    "deployments/support.yaml": manifestText(
      "name: ${env:STAGE}\nsecrets: { KEY: '${secret:modelKey}', B: '${env:STAGE}' }",
    ),
  };
  const { stderr } = await validate(files);
  expect(stderr.split("\n")).toEqual([
    "agentserver: reads the environment variable STAGE at deployments/support.yaml:8:9, deployments/support.yaml:9:44",
    "agentserver: reads the configuration value modelKey at deployments/support.yaml:9:19",
    "agentserver: 1 deployment is valid",
    "",
  ]);
  expect(JSON.parse((await validate(files, { format: "json" })).stdout)).toMatchObject({
    reads: [
      {
        kind: "env",
        name: "STAGE",
        places: ["deployments/support.yaml:8:9", "deployments/support.yaml:9:44"],
      },
      { kind: "secret", name: "modelKey", places: ["deployments/support.yaml:9:19"] },
    ],
  });
});

test("prints a machine-readable report with --format json", async () => {
  expect(JSON.parse((await validate(good, { format: "json" })).stdout)).toEqual({
    valid: true,
    deployments: ["support-agent"],
    faults: [],
    reads: [],
  });
  const { code, stdout, stderr } = await validate(bad, { format: "json" });
  expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({
    valid: false,
    deployments: [],
    faults: [
      { file: "deployments/sales.yaml", line: 8, column: 10, message: expect.stringContaining("spec.adopt") },
      { file: "deployments/sales.yaml", line: 9, column: 3 },
    ],
  });
});

const overlays = {
  ...good,
  "deployments/overlays/dev/a.yaml": overlayText("protect: false"),
  "deployments/overlays/prod/a.yaml": overlayText("protect: perhaps"),
};

test("checks the overlays of every stack by default, and those of one stack with --stack", async () => {
  const fault = /^deployments\/overlays\/prod\/a\.yaml:5:12: spec\.protect: .*\n$/;
  expect(await validate(overlays)).toMatchObject({ code: 2, stdout: expect.stringMatching(fault) });
  expect(await validate(overlays, { stack: ["dev"] })).toMatchObject({ code: 0, stdout: "" });
  expect(await validate(overlays, { stack: ["dev", "prod"] })).toMatchObject({ code: 2 });
  expect(await validate(overlays, { overlays: "deployments/overlays/dev" })).toMatchObject({ code: 0 });
});

test.each([
  ["staging", /^agentserver: No stack "staging" was found: .* Available stacks: dev, prod, test\. /],
  ["prdo", /Did you mean "prod"\? Available stacks: dev, prod, test\./],
  ["tset", /Did you mean "test"\?/],
])("rejects the unknown stack %s, and lists the available ones", async (stack, said) => {
  const { code, stdout, stderr } = await validate(
    { ...overlays, "Pulumi.test.yaml": "" },
    { stack: ["dev", stack] },
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(said);
  expect((await validate(good, { stack: [stack] })).stderr).toContain("No stack has overlays or settings.");
});

test("accepts a stack without overlays if it has a settings file", async () => {
  expect(await validate({ ...good, "Pulumi.staging.yaml": "" }, { stack: ["staging"] })).toMatchObject({
    code: 0,
  });
});

test("reports an error in a manifest once for all stacks", async () => {
  const { stdout } = await validate({
    ...overlays,
    "deployments/support.yaml": manifestText("adopt: perhaps"),
  });
  expect(stdout.match(/spec\.adopt/g)).toHaveLength(1);
});

test("treats an unreadable folder as a failed check", async () => {
  expect(await validate({ "elsewhere/a.yaml": "" })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^agentserver: There is no folder deployments in /),
  });
  expect(await validate(good, { overlays: "nowhere" })).toMatchObject({ code: 1 });
  const empty = { "deployments/README.md": "" };
  expect(await validate(empty)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("No manifest declares"),
  });
  expect(await validate(empty, { allowEmpty: true })).toMatchObject({ code: 0 });
});

test("escapes control characters in file contents", async () => {
  const { stdout } = await validate({ "deployments/a.yaml": manifestText('"\\e[31m\\nred": 1') });
  expect(stdout.split("\n")).toHaveLength(2);
  expect(stdout).not.toContain("\u001b");
});

test("runs as an installed command without a control plane", async () => {
  await ensureBuilt();
  const cwd = temporaryFolder(bad);
  const main = join(repositoryRoot, "dist", "cli", "main.js");
  const run = await new Promise<{ code: number; stdout: string }>((resolve) =>
    execFile(process.execPath, [main, "validate", "deployments"], { cwd, env: {} }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), stdout }),
    ),
  );
  expect(run.code).toBe(2);
  expect(run.stdout).toContain("deployments/sales.yaml:8:10: spec.adopt");
});

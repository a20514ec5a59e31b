import { chmodSync } from "node:fs";
import { join } from "node:path";
import { createRealRunner, type RealRunnerOptions } from "../../../../../emulator/rollout/real";
import { RolloutFailure, type RolloutJob } from "../../../../../emulator/rollout/rollout";
import { allGone, eventually } from "../../processes";
import { jobFor, Notes } from "../../rehearsal";
import { Repository, temporaryFolder } from "../../repository";
import { VirtualTime } from "../../virtual-time";
import { agentFiles } from "../../agents";
import { pythonFiles, pythonGraph } from "./agents";
import { describeWithPython } from "./available";

const never = new AbortController().signal;

async function failureOf(
  files: Record<string, string>,
  changes: Partial<RolloutJob> = {},
  options: RealRunnerOptions = {},
  notes = new Notes(),
): Promise<{ status: string; reason: string; notes: Notes }> {
  const job = jobFor(new Repository(files).folder, changes);
  const failure: unknown = await createRealRunner(options)
    .roll(job, notes, never)
    .then(
      (agent) => agent?.stop(),
      (error: unknown) => error,
    );
  await allGone(job.dataFolder);
  if (!(failure instanceof RolloutFailure))
    throw new Error(`Not a failure of the rollout: ${String(failure)}`);
  return { status: failure.status, reason: failure.message, notes };
}

test("rejects a configuration with graphs in two languages, and suggests a fix", async () => {
  const graphs = { one: "./agent.py:graph", two: "./src/agent.ts:graph" };
  const failed = await failureOf({ ...agentFiles(""), ...pythonFiles("", { graphs }) });
  expect(failed).toMatchObject({
    status: "BUILD_FAILED",
    reason:
      "langgraph.json: graphs.one is a Python graph and graphs.two is not; the local control plane runs one language " +
      "per deployment. Use a separate graph configuration and deployment for each language.",
  });
});

test("rejects a Python version that the runtime does not support", async () => {
  const failed = await failureOf(pythonFiles("", { python_version: "3.9" }));
  expect(failed.reason).toBe(
    "The graph configuration requires Python 3.9, but the runtime needs 3.11 or later. Change python_version.",
  );
});

describe("without a usable Python interpreter", () => {
  const path = process.env["PATH"];
  afterEach(() => {
    process.env["PATH"] = path;
  });

  test("reports how to install Python, and ignores a command that is not an interpreter", async () => {
    const upload = new Repository({ ...pythonFiles("", { python_version: "3.12" }) });
    const bin = new Repository({ "python3.12": "#!/bin/sh\necho 'no such version' >&2\nexit 127\n" });
    chmodSync(join(bin.folder, "python3.12"), 0o755);
    process.env["PATH"] = bin.folder;
    const failed = await failureOf({}, { uploadFolder: upload.folder, source: "internal_source" }).finally(
      () => (process.env["PATH"] = path),
    );
    expect(failed).toMatchObject({
      status: "BUILD_FAILED",
      reason:
        "No Python 3.12 is on the PATH of the control plane. " +
        "Install Python 3.12 with its venv module, or install uv, which can install any version.",
    });
    expect(failed.notes.text).toContain(
      `Skipped a Python interpreter: ${join(bin.folder, "python3.12")} does not run.`,
    );
  });
});

describeWithPython("tests/emulator/rollout/runtimes/python/failures.test.ts")(
  "a rollout of a Python graph",
  () => {
    test("fails when a requirement cannot be satisfied", async () => {
      const failed = await failureOf(pythonFiles("", { dependencies: ["agentserver-no-such-package==9.9"] }));
      expect(failed.status).toBe("BUILD_FAILED");
      expect(failed.reason).toMatch(/^(uv )?pip install exited with code 1: .*agentserver-no-such-package/);
      expect(failed.reason).toContain("See the build log.");
    });

    test("fails when a package index cannot be reached, and does not reveal its password", async () => {
      const failed = await failureOf({
        ...pythonFiles("", { pip_config_file: "./pip.conf" }),
        "requirements.txt": "titlecase==2.4.1\n",
        "pip.conf":
          "[global]\nindex-url = http://joe:hunter2%21@127.0.0.1:9/simple\nretries = 0\nno-cache-dir = true\nfind-links =\n",
      });
      expect(failed.status).toBe("BUILD_FAILED");
      expect(failed.reason).toMatch(/^pip install exited with code 1: /);
      expect(failed.notes.text).toContain("127.0.0.1:9");
      expect(failed.reason + failed.notes.text).not.toMatch(/hunter2/);
    });

    test("fails when the graph raises an exception during import, and logs it without secrets", async () => {
      const graph = pythonGraph(
        "",
        'def load():\n    raise ValueError("no model for " + os.environ["KEY"])\nload()',
      );
      const failed = await failureOf(pythonFiles(graph), { secrets: [{ name: "KEY", value: "k-123456" }] });
      expect(failed).toMatchObject({
        status: "DEPLOY_FAILED",
        reason:
          'Importing the graph "agent" (agent.py) failed: ValueError: no model for [secret] (at agent.py:7).',
      });
      expect(failed.notes.text).toMatch(/deploy \w+ +File "agent\.py", line 8, in <module>/);
      expect(failed.notes.text).not.toContain("k-123456");
    });

    test("fails when the graph imports a package that is not installed", async () => {
      const failed = await failureOf(pythonFiles("import not_installed_here\ngraph = 1\n"));
      expect(failed).toMatchObject({
        status: "DEPLOY_FAILED",
        reason:
          "Importing the graph \"agent\" (agent.py) failed: ModuleNotFoundError: No module named 'not_installed_here' " +
          "(at agent.py:1).",
      });
    });

    test("fails when the graph is not valid Python", async () => {
      const failed = await failureOf(pythonFiles("graph = (\n"));
      expect(failed.reason).toMatch(
        /^Importing the graph "agent" \(agent\.py\) failed: .*SyntaxError: .*\(at agent\.py:1\)\.$/,
      );
    });

    test("fails when the graph is missing or not a graph", async () => {
      const missing = await failureOf(pythonFiles("grpah = 1\n"));
      expect(missing.reason).toMatch(/Could not find graph 'graph' in 'agent\.py'.*grpah/);
      const other = await failureOf(pythonFiles("graph = {'hello': 1}\n"));
      expect(other).toMatchObject({
        status: "DEPLOY_FAILED",
        reason: expect.stringContaining('Importing the graph "agent" (agent.py) failed: '),
      });
    });

    test("fails when the agent server never becomes healthy", async () => {
      const time = new VirtualTime();
      const notes = new Notes();
      const graph = 'import time\nprint("blocking", flush=True)\ntime.sleep(1000)\n';
      const options = { clock: time, healthTimeoutMs: 90_000 };
      const failing = failureOf(pythonFiles(graph), {}, options, notes);
      await eventually(() => notes.text.includes("INFO blocking"), "the graph blocks");
      time.pass(90_000);
      expect(await failing).toMatchObject({
        status: "DEPLOY_FAILED",
        reason:
          "The agent server did not become healthy within 90 s: " +
          'it was still importing the graph "agent" (agent.py).',
      });
    });

    test("fails when the agent server exits during startup", async () => {
      const failed = await failureOf(pythonFiles("import os\nos._exit(3)\n"));
      expect(failed.reason).toBe(
        'The agent server exited with code 3 while importing the graph "agent" (agent.py).',
      );
    });
  },
);

test("rejects a dependency outside the source", async () => {
  const outside = temporaryFolder("outside");
  const failed = await failureOf(pythonFiles("", { dependencies: [`../../../../../..${outside}`] }));
  expect(failed.status).toBe("BUILD_FAILED");
  expect(failed.reason).toContain("which is outside the source");
  const missing = await failureOf(pythonFiles("", { dependencies: ["./nowhere"] }));
  expect(missing.reason).toBe(
    "dependencies contains the folder ./nowhere, which does not exist in the source of this revision.",
  );
});

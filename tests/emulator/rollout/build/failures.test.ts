import { VirtualTime } from "../virtual-time";
import { createRealRunner, type RealRunnerOptions } from "../../../../emulator/rollout/real";
import { RolloutFailure, type RolloutJob } from "../../../../emulator/rollout/rollout";
import { agentFiles, answeringGraph } from "../agents";
import { allGone, eventually } from "../processes";
import { jobFor, Notes } from "../rehearsal";
import { Repository } from "../repository";

const never = new AbortController().signal;

interface Failed {
  status: string;
  reason: string;
  notes: Notes;
}

async function failureOf(
  files: Record<string, string>,
  changes: Partial<RolloutJob> = {},
  options: RealRunnerOptions = {},
  notes = new Notes(),
): Promise<Failed> {
  const job = jobFor(new Repository(files).folder, changes);
  const failure = await createRealRunner(options)
    .roll(job, notes, never)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  await allGone(job.dataFolder);
  if (!(failure instanceof RolloutFailure))
    throw new Error(`Not a failure of the rollout: ${String(failure)}`);
  return { status: failure.status, reason: failure.message, notes };
}

describe("a build", () => {
  test("fails if the ref does not exist", async () => {
    const failed = await failureOf(agentFiles(""), { sourceRevisionConfig: { repo_ref: "nope" } });
    expect(failed).toMatchObject({
      status: "BUILD_FAILED",
      reason: expect.stringMatching(/^The repository .* has no branch, tag, or commit "nope"/),
    });
    expect(failed.notes.statuses).toEqual(["BUILDING"]);
    expect(failed.notes.text).toContain("build ERROR The repository");
  });

  test("fails if the repository does not exist", async () => {
    const failed = await failureOf(
      {},
      { sourceConfig: { repo_url: "https://user:hunter2@127.0.0.1:9/x.git" } },
    );
    expect(failed.status).toBe("BUILD_FAILED");
    expect(failed.reason).toMatch(/^The repository https:\/\/127.0.0.1:9\/x.git cannot be read: /);
    expect(failed.reason + failed.notes.text).not.toContain("hunter2");
  });

  test("fails if the source is an image and there is no container engine", async () => {
    const failed = await failureOf(
      {},
      { sourceConfig: {}, sourceRevisionConfig: { image_uri: "org/image:1" } },
    );
    expect(failed.status).toBe("BUILD_FAILED");
    expect(failed.reason).toContain("The image org/image:1 cannot be run on this machine: ");
  });

  test("fails if the configuration is invalid", async () => {
    const failed = await failureOf({ "langgraph.json": '{"graphs": {"agent": "./src/agent.ts"}}' });
    expect(failed.status).toBe("BUILD_FAILED");
    expect(failed.reason).toContain(
      'langgraph.json is not valid: graphs.agent: must have the format "path:export"',
    );
  });

  test("fails if a graph's file does not exist", async () => {
    const { "langgraph.json": configuration = "" } = agentFiles("");
    const failed = await failureOf({ "langgraph.json": configuration });
    expect(failed.status).toBe("BUILD_FAILED");
    expect(failed.reason).toBe(
      "langgraph.json: the file ./src/agent.ts of graph agent does not exist in the source of this revision.",
    );
  });

  test("fails when npm cannot install", async () => {
    const failed = await failureOf({
      ...agentFiles(""),
      "package.json": JSON.stringify({
        dependencies: { "is-number": "7.0.0" },
        scripts: { preinstall: "echo installing; echo cannot compile >&2; exit 3" },
      }),
      ".npmrc": "offline=true\nignore-scripts=false\n",
    });
    expect(failed.status).toBe("BUILD_FAILED");
    expect(failed.reason).toMatch(/^npm install exited with code \d+: .*See the build log\.$/);
    expect(failed.notes.text).toContain("build INFO Running npm install in the root of the source.");
  });
});

describe("a deployment", () => {
  test("fails when the graph throws during import", async () => {
    const failed = await failureOf(
      agentFiles(answeringGraph("return said;", "\nthrow new Error(`no model for ${process.env.KEY}`);\n")),
      { secrets: [{ name: "KEY", value: "k-123456" }] },
    );
    expect(failed.status).toBe("DEPLOY_FAILED");
    expect(failed.reason).toBe(
      'Importing the graph "agent" (src/agent.ts) failed: Error: no model for [secret] (at src/agent.ts:5:7).',
    );
    expect(failed.notes.statuses).toEqual(["BUILDING", "AWAITING_DEPLOY", "DEPLOYING"]);
    expect(failed.notes.text).toMatch(/deploy \w+ +at .*agent\.ts:5:7/);
    expect(failed.notes.text).not.toContain("k-123456");
  });

  test("fails if a secret cannot be an environment variable, and does not reveal the value", async () => {
    const failed = await failureOf(agentFiles(""), { secrets: [{ name: "A", value: "sup3rsecret\0tail" }] });
    expect(failed).toMatchObject({
      status: "DEPLOY_FAILED",
      reason: 'The agent server cannot be started: a null byte was found in the environment variable "A".',
    });
    expect(failed.notes.text).not.toMatch(/sup3rsecret|tail/);
  });

  test("fails when the graph is not valid TypeScript", async () => {
    const failed = await failureOf(agentFiles("export const graph = ;\n"));
    expect(failed.status).toBe("DEPLOY_FAILED");
    expect(failed.reason).toMatch(
      /^Importing the graph "agent" \(src\/agent.ts\) failed: .*src\/agent\.ts:1:21.*Unexpected ";"/s,
    );
  });

  test("fails when the graph imports a package that is not installed", async () => {
    const failed = await failureOf({
      ...agentFiles('import x from "not-installed"; export const graph = x;'),
      "package.json": "{}",
    });
    expect(failed.status).toBe("DEPLOY_FAILED");
    expect(failed.reason).toContain("Cannot find module 'not-installed'");
  });

  test("fails when the export is missing or not a graph", async () => {
    const missing = await failureOf(agentFiles("export const grpah = 1;"));
    expect(missing.status).toBe("DEPLOY_FAILED");
    expect(missing.reason).toContain('src/agent.ts has no export "graph" (it exports grpah)');
    const other = await failureOf(agentFiles("export const graph = { hello: 1 };"));
    expect(other.reason).toContain(
      'the export "graph" of src/agent.ts is not a graph but an object with hello',
    );
  });

  test("fails when the graph ends the process during import", async () => {
    const failed = await failureOf(agentFiles("process.exit(7);\nexport const graph = 1;"));
    expect(failed.status).toBe("DEPLOY_FAILED");
    expect(failed.reason).toBe(
      'The agent server exited with code 7 while importing the graph "agent" (src/agent.ts).',
    );
  });

  test("fails when a top-level await never settles", async () => {
    const failed = await failureOf(agentFiles("await new Promise(() => {});\nexport const graph = 1;"));
    expect(failed.status).toBe("DEPLOY_FAILED");
    expect(failed.reason).toContain("A top-level await never settled.");
  });

  test("fails when a graph factory throws", async () => {
    const time = new VirtualTime();
    const notes = new Notes();
    const graph = 'export async function graph() { throw new Error("no tools today"); }';
    const failing = failureOf(agentFiles(graph), {}, { clock: time, healthTimeoutMs: 60_000 }, notes);
    // A request logs one line at its start and one at its end, so the third line shows that one request is complete.
    const lines = () => notes.text.split("GET /assistants/agent/graph").length - 1;
    await eventually(() => lines() >= 3, "the factory is asked again");
    time.pass(60_000);
    const failed = await failing;
    expect(failed.status).toBe("DEPLOY_FAILED");
    expect(failed.reason).toMatch(
      /did not become healthy within 60 s: GET \/assistants\/agent\/graph returned 422: .*cannot be created: no tools today/,
    );
    expect(failed.reason).toContain("Its last error: Error: no tools today");
  });

  test("fails when the import of the graph never finishes, even if it blocks", async () => {
    const time = new VirtualTime();
    const notes = new Notes();
    const graph = 'console.log("blocking"); while (true) {}\nexport const graph = 1;';
    const failing = failureOf(agentFiles(graph), {}, { clock: time, healthTimeoutMs: 90_000 }, notes);
    await eventually(() => notes.text.includes("blocking"), "the graph blocks");
    time.pass(90_000);
    const failed = await failing;
    expect(failed).toMatchObject({
      status: "DEPLOY_FAILED",
      reason:
        "The agent server did not become healthy within 90 s: " +
        'it was still importing the graph "agent" (src/agent.ts).',
    });
  });
});

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { VirtualClock } from "../../../../emulator/index";
import { createRealRunner } from "../../../../emulator/rollout/real";
import type { RolloutFailure, RolloutJob } from "../../../../emulator/rollout/rollout";
import { agentFiles, answeringGraph } from "../agents";
import { allGone, processesIn } from "../processes";
import { ask, jobFor, Notes } from "../rehearsal";
import { Repository } from "../repository";

const never = new AbortController().signal;
const runner = createRealRunner();
const agent = agentFiles(answeringGraph('return "heard";'));

/** Creates a repository whose graph configuration is in a subfolder, with npm dependencies that cannot be installed. */
function project(files: Record<string, string> = {}): Repository {
  const inFolder = Object.entries(agent).map(([path, text]) => [`agents/${path}`, text] as const);
  return new Repository({
    "package.json": JSON.stringify({ dependencies: { missing: "file:./nowhere" } }),
    ...Object.fromEntries(inFolder),
    ...files,
  });
}

function job(repository: Repository, commands: Partial<RolloutJob["sourceConfig"]>): RolloutJob {
  return jobFor(repository.folder, {
    sourceConfig: { repo_url: repository.folder, ...commands },
    sourceRevisionConfig: { repo_ref: "main", graph_config_path: "agents/langgraph.json" },
    secrets: [{ name: "TOKEN", value: "sesame-street" }],
  });
}

async function failure(work: Promise<unknown>): Promise<RolloutFailure> {
  return work.then(
    () => Promise.reject(new Error("It did not fail.")),
    (error: unknown) => error as RolloutFailure,
  );
}

test("runs install_command in the root, and build_command in the folder of the configuration", async () => {
  const repository = project();
  const one = job(repository, {
    install_command: "pwd > where-installed && echo 'installed by hand' && echo noted >&2",
    build_command: "pwd > where-built; cat ../where-installed; echo ${TOKEN:-no secret}",
  });
  const notes = new Notes();
  const running = await runner.roll(one, notes, never);
  expect(await ask(running, "hi")).toBe("heard");
  await running!.stop();
  const source = join(one.revisionFolder, "source");
  expect(readFileSync(join(source, "where-installed"), "utf8").trim()).toBe(source);
  expect(readFileSync(join(source, "agents", "where-built"), "utf8").trim()).toBe(join(source, "agents"));
  expect(notes.text).not.toContain("npm");
  const lines = notes.lines.filter((line) => line.startsWith("build "));
  expect(lines.slice(2)).toEqual([
    "build INFO Running source_config.install_command in the root of the source: " +
      one.sourceConfig.install_command,
    "build INFO installed by hand",
    "build INFO noted",
    `build INFO Running source_config.build_command in agents: ${one.sourceConfig.build_command}`,
    `build INFO ${source}`,
    "build INFO no secret",
  ]);
});

test.each(["install_command", "build_command"])("supports graphs in files that %s creates", async (field) => {
  const repository = new Repository({
    "langgraph.json": JSON.stringify({ graphs: { agent: "./dist/agent.ts:graph" } }),
    "src/agent.ts": agent["src/agent.ts"]!,
  });
  const made = jobFor(repository.folder, {
    sourceConfig: { repo_url: repository.folder, [field]: "mkdir dist && cp src/agent.ts dist/" },
  });
  const running = await runner.roll(made, new Notes(), never);
  expect(await ask(running, "hi")).toBe("heard");
  await running!.stop();
});

test("fails with the path of the graph's file if the build does not create the file", async () => {
  const repository = new Repository({
    "langgraph.json": JSON.stringify({ graphs: { agent: "./dist/agent.ts:graph" } }),
  });
  const notMade = jobFor(repository.folder, {
    sourceConfig: { repo_url: repository.folder, build_command: "true" },
  });
  const { status, message } = await failure(runner.roll(notMade, new Notes(), never));
  expect([status, message]).toEqual([
    "BUILD_FAILED",
    "langgraph.json: the file ./dist/agent.ts of graph agent does not exist in the source of this revision.",
  ]);
});

test("runs build_command after the npm installation", async () => {
  const repository = new Repository({
    ...agent,
    "package.json": JSON.stringify({ dependencies: { local: "file:./local" } }),
    "local/package.json": JSON.stringify({ name: "local", version: "1.0.0" }),
  });
  const one = jobFor(repository.folder, {
    sourceConfig: { repo_url: repository.folder, build_command: "ls -d node_modules/local" },
  });
  const notes = new Notes();
  const running = await runner.roll(one, notes, never);
  await running!.stop();
  expect(notes.text).toContain("build INFO node_modules/local");
});

test.each([
  ["install_command", "exit 3", "source_config.install_command exited with code 3: it produced no output."],
  [
    "install_command",
    "echo one; echo two >&2; exit 1",
    "source_config.install_command exited with code 1: one; two.",
  ],
  ["build_command", "echo sesame-street; false", "source_config.build_command exited with code 1: [secret]."],
  ["build_command", "no-such-command", /^source_config.build_command exited with code 127: .*not found/],
])(
  "fails the build, and includes the command in the reason if %s fails: %s",
  async (field, command, reason) => {
    const notes = new Notes();
    const commands = { install_command: "true", [field]: command };
    const { status, message } = await failure(runner.roll(job(project(), commands), notes, never));
    expect(status).toBe("BUILD_FAILED");
    expect(message).toMatch(reason);
    expect(message).toMatch(/ See the build log\.$/);
    expect(notes.lines.at(-1)).toBe(`build ERROR ${message}`);
    expect(notes.statuses).toEqual(["BUILDING"]);
  },
);

test("does not run build_command after a failed installation", async () => {
  const one = job(project(), { install_command: "false", build_command: "touch built" });
  await failure(runner.roll(one, new Notes(), never));
  expect(existsSync(join(one.revisionFolder, "source", "agents", "built"))).toBe(false);
});

test("stops a command and its child processes when the time limit is reached", async () => {
  const clock = new VirtualClock();
  const limited = createRealRunner({ clock, buildTimeoutMs: 120_000 });
  const one = job(project(), { install_command: "sleep 1000 & echo started; sleep 1000" });
  const notes = new Notes();
  let started = (): void => undefined;
  const hasStarted = new Promise<void>((resolve) => (started = resolve));
  const log = notes.log;
  notes.log = (...line) => {
    log(...line);
    if (line[2] === "started") started();
  };
  const rolling = failure(limited.roll(one, notes, never));
  await hasStarted;
  await clock.advance(120_000);
  expect((await rolling).message).toBe("The build did not finish within 2 min.");
  await allGone(one.dataFolder);
  expect(processesIn(one.dataFolder)).toEqual([]);
});

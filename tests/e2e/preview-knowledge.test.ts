import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { canaries } from "./canaries";
import type { EngineRun } from "./engine-run";
import { declaring } from "./programs";
import { World } from "./world";

let world: World;

beforeAll(async () => {
  world = await World.start({ dialect: "langsmith" });
});
beforeEach(async () => {
  await world.admin.reset();
  world.admin.steer({ pace: "at once" });
});
afterAll(() => world.end());

const unknownIntegration = "0d1c2b3a-0000-4000-8000-000000000000";

const mistaken = declaring({
  name: "upstream",
  sourceConfig: {
    repoUrl: "https://git.example.com/agents.git",
    integrationId: unknownIntegration,
    deploymentType: "huge",
    buildOnPush: true,
    resourceSpec: { cpu: 0.01 },
  },
  sourceRevisionConfig: { repoRef: "refs/tags/v1" },
  secrets: { PORT: canaries.modelKey },
});

/** Returns the engine's messages with one severity, line by line. */
function shown(run: EngineRun, severity: string): string {
  return run.diagnostics
    .filter((diagnostic) => diagnostic.severity.startsWith(severity))
    .map(({ message }) => message)
    .join("\n");
}

test("shows every mistake with its property, without writing anything", async () => {
  const held = await world.stack("held", declaring({ name: "upstream" }));
  expect(await held.up()).toMatchObject({ code: 0 });
  world.writes();
  const stack = await world.stack("mistaken", mistaken);

  for (const run of [await stack.preview(), await stack.up()]) {
    expect(run.code).not.toBe(0);
    for (const mistake of [
      /name: Deployment "upstream" .* already exists and .* Adopt it/,
      /sourceConfig\.integrationId: is not an integration of this workspace/,
      /sourceConfig\.deploymentType: "huge" is not one of the values that this control plane supports \(dev_free, /,
      /sourceConfig\.buildOnPush: cannot be true together with the tag refs\/tags\/v1/,
      /sourceConfig\.resourceSpec\.cpu: too small/,
      /sourceRevisionConfig\.graphConfigPath: is required if source is github/,
      /secrets\.PORT: is reserved by the control plane/,
    ])
      expect(run.output).toMatch(mistake);
    expect(run.output).not.toContain("    at ");
  }
  expect(world.writes()).toEqual([]);
  expect(await stack.resource("agent")).toBeUndefined();
});

test("warns about a nonexistent ref or file in a local repository", async () => {
  const repository = join(world.folder, "agents");
  mkdirSync(repository);
  const git = (...words: string[]) => execFileSync("git", ["-C", repository, ...words]);
  git("init", "--quiet", "--initial-branch=main");
  git(
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@example.com",
    "commit",
    "--quiet",
    "--allow-empty",
    "-m",
    "first",
  );
  const sourceConfig = { repoUrl: repository };
  const at = (repoRef: string) =>
    declaring({ sourceConfig, sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" } });
  const stack = await world.stack("unpushed", at("mian"));

  const wrongRef = await stack.preview();
  stack.program(at("main"));
  const noFile = await stack.preview();

  expect(wrongRef).toMatchObject({ code: 0, changes: { create: 2 } });
  expect(shown(wrongRef, "warning")).toMatch(
    /repoRef: the repository has no branch, tag, or commit "mian" yet/,
  );
  expect(noFile).toMatchObject({ code: 0 });
  expect(shown(noFile, "warning")).toMatch(
    /graphConfigPath: the repository has no file "langgraph\.json" at "main"/,
  );
});

test("completes the preview in offline mode, and if the server is unreachable", async () => {
  const stack = await world.stack(
    "alone",
    declaring({
      sourceConfig: { repoUrl: "https://git.example.com/agents.git", integrationId: unknownIntegration },
    }),
  );
  await stack.config("agentserver:offline", "true");

  const offline = await stack.preview();

  expect(offline).toMatchObject({ code: 0, changes: { create: 2 } });
  expect(shown(offline, "warning")).toBe("");
  expect(world.admin.journal()).toEqual([]);

  await stack.config("agentserver:offline", "false");
  stack.environment("AGENTSERVER_BASE_URL", "http://127.0.0.1:1");
  const unreachable = await stack.preview();

  expect(unreachable).toMatchObject({ code: 0 });
  expect(shown(unreachable, "warning").match(/could not check new and changed inputs/g)).toHaveLength(1);
});

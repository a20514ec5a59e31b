import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { version } from "../../../package.json";
import { versatileAgent } from "../../emulator/gateway/agent";
import { deploy } from "../../emulator/gateway/deployment";
import { Repository } from "../../emulator/rollout/repository";
import { World } from "../../e2e/world";
import { recordFigures } from "../figures";
import { keepState, keptStates, type KeptState } from "./kept-states";
import { type ProgramName, programs, projectFiles } from "./programs";

const ownTypes = "pulumi-nodejs:dynamic/agentserver:";

const figures = { "recorded states": keptStates().length, "unchanged resources": 0, replacements: 0 };

let world: World;
afterEach(() => world?.end());
afterAll(() => recordFigures("upgrades", figures));

/** Restores a stored stack and uses it with the current code. */
async function restored(name: string, { program, config, baseUrl, exported }: KeptState) {
  world = await World.start();
  const { project, stack: stackName } = ownerOf(exported);
  writeProjectFiles(project);
  const stack = await world.stack(project, programs[program]);
  expect(stackName).toBe(project);
  for (const [key, value] of Object.entries(config)) await stack.config(key, value);
  await stack.config("modelKey", "kept-model-key", "--secret");
  stack.environment("AGENTSERVER_BASE_URL", baseUrl);
  const file = join(world.folder, `${name.replaceAll("/", "-")}.json`);
  writeFileSync(file, JSON.stringify(exported));
  const imported = await stack.run("stack", "import", "--file", file);
  expect(imported.output).toContain("Import complete");
  return stack;
}

function writeProjectFiles(project: string): void {
  for (const [path, text] of Object.entries(projectFiles)) {
    const file = join(world.folder, project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function ownerOf({ deployment }: KeptState["exported"]) {
  const [, , stack, project] = deployment.resources[0]!.urn.split(/:+/) as [string, string, string, string];
  return { stack, project };
}

test.each(keptStates().filter(([, { program }]) => program !== "failed"))(
  "previews no changes for the state of %s",
  async (name, kept) => {
    const stack = await restored(name, kept);
    const preview = await stack.preview("--expect-no-changes");
    expect(preview.output).not.toMatch(/error|warning/);
    expect(preview.code).toBe(0);
    expect(Object.keys(preview.changes!)).toEqual(["same"]);
    const { resources } = kept.exported.deployment;
    figures["unchanged resources"] += resources.filter(({ type }) => type.startsWith(ownTypes)).length;
  },
);

test.each(keptStates().filter(([, { program }]) => program === "failed"))(
  "retries failed operations in the state of %s, and replaces nothing",
  async (name, kept) => {
    const stack = await restored(name, kept);
    const preview = await stack.preview();
    expect(preview.code).toBe(0);
    const steps = preview.steps.filter((step) => !step.startsWith("same")).sort();
    figures.replacements += steps.filter((step) => /replace|delete/.test(step)).length;
    expect(steps).toEqual(["update kept", "update never-good", "update rolled-back"]);
    expect(preview.output).toContain("needs a new revision: the last rollout failed");
  },
);

/** Stores the states of this release. `AGENTSERVER_KEEP_STATES=1` is set once, before the release is published. */
if (process.env.AGENTSERVER_KEEP_STATES === "1")
  test.each(["interface", "langsmith"] as const)(
    "stores the states of this release (%s dialect)",
    async (dialect) => {
      world = await World.start({ dialect });
      world.admin.steer({ pace: "at once" });
      world.admin.seedIntegration({
        id: "11111111-1111-4111-8111-111111111111",
        name: "example",
        repositories: [],
      });
      const keep = async (program: Exclude<ProgramName, "contents">, config: Record<string, string> = {}) => {
        writeProjectFiles(`shop-${program}`);
        const stack = await world.stack(`shop-${program}`, programs[program]);
        await stack.config("modelKey", "kept-model-key", "--secret");
        const first = await stack.up();
        expect(first.code === 0 ? "" : first.output).toBe("");
        if (Object.keys(config).length > 0) {
          world.admin.steer({ verdict: "BUILD_FAILED", reason: "no such module", times: 3 });
          for (const [key, value] of Object.entries(config)) await stack.config(key, value);
          expect((await stack.up()).code).not.toBe(0);
        }
        const { stdout } = await stack.run("stack", "export", "--stack", stack.name);
        const exported = JSON.parse(stdout) as KeptState["exported"];
        keepState(version, `${program}-${dialect}`, {
          program,
          config,
          baseUrl: world.plane.baseUrl,
          exported,
        });
      };
      await keep("settled");
      await keep(dialect === "langsmith" ? "hosted" : "cleared");
      await keep("failed", { commit: "b".repeat(40) });
    },
  );

if (process.env.AGENTSERVER_KEEP_STATES === "1")
  test("stores the state of agent server resources", async () => {
    world = await World.start({ rollout: "real" });
    const url = await deploy(world.plane, new Repository(versatileAgent()));
    const stack = await world.stack("shop-contents", programs.contents);
    await stack.config("modelKey", "kept-model-key", "--secret");
    await stack.config("url", url);
    const up = await stack.up();
    expect([up.code === 0 ? "" : up.output]).toEqual([""]);
    const { stdout } = await stack.run("stack", "export", "--stack", stack.name);
    const exported = JSON.parse(stdout) as KeptState["exported"];
    const { baseUrl } = world.plane;
    keepState(version, "contents", { program: "contents", config: { url }, baseUrl, exported });
  });

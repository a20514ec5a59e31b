import { cpSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";
import type { Stack } from "./stack";
import { World } from "./world";

jest.setTimeout(300_000);

let world: World;
let stack: Stack;

beforeAll(async () => {
  world = await World.start({ dialect: "langsmith", rollout: "real" });
  stack = await world.stack("whole");
  cpSync(join(repositoryRoot, "examples", "local-folder", "agent"), join(stack.folder, "agent"), {
    recursive: true,
  });
});
afterAll(() => world?.end());

const program = (assistant: string) => `
const agent = new Deployment("agent", {
  name: "whole", source: "internal_source", sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" }, secrets: {},
});
const brief = new Assistant("brief", { deployment: agent, graph: "agent", ${assistant} });
const report = new Cron("report", {
  deployment: agent, assistant: brief, schedule: "0 9 * * 1-5", timezone: "Europe/Berlin",
  input: { messages: [{ role: "user", content: "report" }] },
});
exports.id = brief.id;
exports.version = brief.version;
`;

/** Writes to the agent server: method and path with ids left out. */
const writes = () =>
  world
    .writes(true)
    .map(({ request }) => request.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID"))
    .filter((request) => /\/(assistants|runs\/crons)(\/ID)?$/.test(request));

test("it is created with the deployment, and a preview before that knows nothing and fails nothing", async () => {
  stack.program(program(`name: "Brief", context: { style: "brief" }`));
  const preview = await stack.preview();
  expect([preview.code, preview.changes]).toEqual([0, { create: 4 }]);
  const up = await stack.up();
  expect(up.code === 0 ? "" : up.output).toBe("");
  expect(writes()).toEqual(["POST /agents/ID/assistants", "POST /agents/ID/runs/crons"]);
  expect(await stack.preview("--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
});

test("a change makes one version, and a new revision of the deployment changes nothing here", async () => {
  stack.program(program(`name: "Brief", context: { style: "very brief" }`));
  const up = await stack.up();
  expect(up.code === 0 ? "" : up.output).toBe("");
  expect(up.output).toContain('context.style brief → "very brief"');
  expect(writes()).toEqual(["PATCH /agents/ID/assistants/ID"]);
});

test("it goes with a destroy", async () => {
  const down = await stack.destroy();
  expect(down.code === 0 ? "" : down.output).toBe("");
  expect(writes()).toEqual(["DELETE /agents/ID/runs/crons/ID", "DELETE /agents/ID/assistants/ID"]);
});

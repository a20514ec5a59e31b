import { answeringGraph, agentFiles } from "../emulator/rollout/agents";
import { Repository } from "../emulator/rollout/repository";
import type { Stack } from "./stack";
import { World } from "./world";

let world: World;
let repository: Repository;
let stack: Stack;

beforeAll(async () => {
  world = await World.start({ rollout: "real" });
  repository = new Repository(agentFiles(answeringGraph("return `heard ${said}`;")));
  stack = await world.stack("verified", program());
});
afterAll(() => world?.end());

function program(): string {
  return `
exports.agent = new Deployment("agent", {
  name: "agent",
  source: "github",
  sourceConfig: { repoUrl: ${JSON.stringify(repository.folder)}, deploymentType: "dev", buildOnPush: false },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
  rollout: {
    onFailure: "rollback",
    triggers: [config.get("change")],
    verify: {
      graph: "agent",
      run: { input: { messages: [{ role: "user", content: "ping" }] }, expect: "heard ping" },
    },
  },
});`;
}

/** Returns the current response at the deployment's URL. */
async function answer(): Promise<string> {
  const { outputs } = (await stack.resource("agent"))!;
  const response = await fetch(`${outputs!["url"] as string}/runs/wait`, {
    method: "POST",
    headers: { "content-type": "application/json", "X-Api-Key": world.plane.apiKey },
    body: JSON.stringify({ assistant_id: "agent", input: { messages: [{ role: "user", content: "now" }] } }),
  });
  return JSON.stringify(await response.json());
}

test("accepts a revision if a run of its graph has the expected result", async () => {
  const { code, output } = await stack.up();
  expect(output).toContain(
    'the URL serves it (active_revision_id); GET /ok returns 200; graph "agent" exists; the smoke run succeeded',
  );
  expect(code).toBe(0);
});

test("rolls back a revision that is DEPLOYED but fails in a run, with the error of the run", async () => {
  repository.commit({ "src/agent.ts": answeringGraph('throw new Error("no model today");') });
  await stack.config("change", "1");
  const { code, output } = await stack.up();
  expect(code).not.toBe(0);
  expect(output).toMatch(
    /is DEPLOYED, but failed its verification after .*: the run of graph "agent" ended with status error/,
  );
  expect(output).toContain("no model today");
  expect(output).toMatch(/Rolled back: revision \S+ with the source of revision \S+ is DEPLOYED\./);
  expect(output).toMatch(/npx agentserver logs agent --revision \S+ --stack \S+`/);
  expect(await answer()).toContain("heard now");
  const [deployment] = await world.deployments();
  expect(await world.revisions(deployment!.id)).toEqual(["DEPLOYED", "DEPLOYED", "DEPLOYED"]);
});

test("shows the pending change in a preview, and rolls it out with one revision in an update", async () => {
  expect((await stack.preview()).output).toContain("needs a new revision: the last rollout failed");
  repository.commit({ "src/agent.ts": answeringGraph("return `heard ${said}, again`;") });
  world.writes();
  const { code, output } = await stack.up();
  expect(output).toContain("the smoke run succeeded");
  expect(code).toBe(0);
  expect(world.writes().map(({ keys }) => keys)).toEqual([["source_revision_config"]]);
  expect(await answer()).toContain("heard now, again");
  expect((await stack.preview("--expect-no-changes")).code).toBe(0);
});

test("rolls back a graph that cannot be started", async () => {
  repository.commit({ "src/agent.ts": "throw new Error('cannot start');" });
  await stack.config("change", "2");
  const { code, output } = await stack.up();
  expect(code).not.toBe(0);
  expect(output).toMatch(/failed while starting the agent \(DEPLOY_FAILED/);
  expect(output).toContain("cannot start");
  expect(output).toContain("Rolled back: ");
  expect(await answer()).toContain("heard now, again");
  expect((await stack.destroy()).code).toBe(0);
});

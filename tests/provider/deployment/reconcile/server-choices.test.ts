import { agent, World } from "../../world";

const left = agent({ sourceConfig: { repoUrl: "https://git.example.com/agents.git" } });
const given = agent({ sourceConfig: { ...left.sourceConfig, deploymentType: "prod" } });

async function chosenByServer(deploymentType: string | null) {
  const world = await World.start();
  const stack = await world.deployed(left);
  const record = {
    id: stack.deploymentId,
    latest_revision_id: stack.state.latestRevisionId,
    source_config: { deployment_type: deploymentType },
  };
  world.admin.fault({
    kind: "status",
    status: 200,
    body: record,
    path: "/v2/deployments/:id",
    method: "GET",
    times: 9,
  });
  return { world, stack };
}

test("accepts the server's value for a field that was omitted before", async () => {
  const { world, stack } = await chosenByServer("prod");
  expect((await stack.up(given)).step).toBe("update");
  expect(world.writes).toEqual([]);
  expect(stack.state.sourceConfig.deploymentType).toBe("prod");
});

test.each([
  ["chose another value", "dev", 'chose "dev"'],
  ["does not report its value", null, "does not report its value"],
])("rejects a different value if the server %s", async (_what, choice, text) => {
  const { world, stack } = await chosenByServer(choice);
  const { failure } = await stack.up(given);
  expect(failure!.message).toContain("sourceConfig.deploymentType was previously omitted");
  expect(failure!.message).toContain(text);
  expect(world.writes).toEqual([]);
});

test("hides credentials that only the server has", async () => {
  const world = await World.start();
  const stack = await world.deployed(agent({ sourceConfig: { deploymentType: "prod" } }));
  const record = {
    id: stack.deploymentId,
    latest_revision_id: stack.state.latestRevisionId,
    source_config: { repo_url: "https://robot:canary-1@git.example.com/agents.git", deployment_type: "prod" },
  };
  const path = "/v2/deployments/:id";
  world.admin.fault({ kind: "status", status: 200, body: record, path, method: "GET", times: 9 });
  const sourceConfig = { repoUrl: "https://git.example.com/agents.git", deploymentType: "prod" };
  const { failure } = await stack.up(agent({ sourceConfig }));
  expect(failure!.message).toContain("sourceConfig.repoUrl was previously omitted");
  expect(failure!.message).not.toContain("canary");
});

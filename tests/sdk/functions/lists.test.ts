import * as pulumi from "@pulumi/pulumi";
import {
  getDeployments,
  getDeploymentsOutput,
  getIntegration,
  getIntegrationOutput,
  getListeners,
  getListenersOutput,
  getRevisions,
  getRevisionsOutput,
} from "../../../sdk";
import { agent, agentAt, canary, World } from "../../provider/world";
import { valueOf, withoutEngine } from "../program";

async function configured(): Promise<World> {
  await withoutEngine();
  const world = await World.start({ dialect: "langsmith" });
  pulumi.runtime.setAllConfig({
    "agentserver:baseUrl": world.plane.baseUrl,
    "agentserver:apiKey": world.plane.apiKey,
    "agentserver:tenantId": world.plane.tenantId,
  });
  return world;
}

describe("deployments", () => {
  test("lists all pages, and applies filters", async () => {
    const world = await configured();
    const dev = { ...agent().sourceConfig, deploymentType: "dev" };
    for (let place = 0; place < 105; place += 1)
      await world.request("POST", "/v2/deployments", {
        name: `fleet-${place}`,
        source: "github",
        source_config: { repo_url: "https://git.example.com/a.git", deployment_type: "prod" },
        source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
        secrets: [{ name: "KEY", value: canary }],
      });
    await world.deployed(agent({ sourceConfig: dev }));
    const all = await getDeployments();
    expect(all).toHaveLength(106);
    expect(all[0]).toMatchObject({ name: "fleet-0", secretNames: ["KEY"] });
    expect(JSON.stringify(all)).not.toContain(canary);
    const names = async (filters: object) => (await getDeployments({ filters })).map(({ name }) => name);
    expect(await names({ nameContains: "fleet-10" })).toEqual([
      "fleet-10",
      "fleet-100",
      "fleet-101",
      "fleet-102",
      "fleet-103",
      "fleet-104",
    ]);
    expect(await names({ deploymentType: "dev" })).toEqual(["support-agent"]);
    expect(await names({ source: "external_docker" })).toEqual([]);
    const later = getDeploymentsOutput({ filters: { nameContains: pulumi.output("support") } });
    expect(await valueOf(later)).toMatchObject([{ name: "support-agent" }]);
  });

  test("omits preview deployments, and deployments that are being deleted", async () => {
    const world = await configured();
    const row = { source: "github", latest_revision_id: null };
    const resources = [
      { ...row, id: "d-1", name: "support", status: "READY" },
      { ...row, id: "d-2", name: "going", status: "AWAITING_DELETE" },
      { ...row, id: "d-3", name: "pull-7", status: "READY", is_preview: true },
    ];
    world.admin.fault({ kind: "status", status: 200, body: { resources, offset: 3 }, times: 9 });
    expect((await getDeployments()).map(({ name }) => name)).toEqual(["support"]);
    const all = await getDeployments({ filters: { previews: true } });
    expect(all.map(({ name }) => name)).toEqual(["support", "pull-7"]);
  });
});

describe("the integration for a repository", () => {
  test("finds the integration regardless of the form of the repository URL", async () => {
    const world = await configured();
    const repositories = [{ name: "agents", url: "https://git.example.com/acme/agents.git" }];
    world.admin.seedIntegration({ name: "other", repositories: [] });
    const id = world.admin.seedIntegration({ name: "acme", repositories });
    const repoUrl = "git@git.example.com:acme/agents";
    expect(await getIntegration({ repoUrl })).toMatchObject({ id, name: "acme" });
    expect(await valueOf(getIntegrationOutput({ repoUrl: pulumi.output(repoUrl) }))).toMatchObject({ id });
  });

  test("fails if no integration matches or several match, and lists the integrations", async () => {
    const world = await configured();
    const repoUrl = "https://me:hush@git.example.com/acme/agents.git";
    await expect(getIntegration({ repoUrl })).rejects.toThrow(
      /No integration .*; the workspace has none\. Grant the Git host/,
    );
    const repositories = [{ name: "agents", url: "https://git.example.com/acme/agents.git" }];
    const ids = ["one", "two"].map((name) => world.admin.seedIntegration({ name, repositories }));
    const refused = getIntegration({ repoUrl });
    await expect(refused).rejects.toThrow(`${ids[0]} (one), ${ids[1]} (two). Specify one of these IDs`);
    await expect(refused).rejects.not.toThrow("hush");
  });
});

test("returns the listeners and their namespaces", async () => {
  const world = await configured();
  world.admin.setSelfHostedEnterprise(true);
  const body = { compute_type: "k8s", compute_id: "blue", compute_config: { k8s_namespaces: ["a", "b"] } };
  const { id } = (await world.request("POST", "/v2/listeners", body)) as { id: string };
  expect(await getListeners()).toEqual([{ id, computeId: "blue", namespaces: ["a", "b"] }]);
  expect(await valueOf(getListenersOutput())).toHaveLength(1);
});

test("returns the revisions and their sources, newest first", async () => {
  const world = await configured();
  const stack = await world.deployed();
  await stack.up(agentAt("v2"));
  const revisions = await getRevisions(stack.deploymentId);
  expect(revisions).toMatchObject([
    { id: stack.state.latestRevisionId, status: "DEPLOYED", graphConfigPath: "langgraph.json" },
    { status: "DEPLOYED" },
  ]);
  expect(await valueOf(getRevisionsOutput(pulumi.output(stack.deploymentId)))).toHaveLength(2);
});

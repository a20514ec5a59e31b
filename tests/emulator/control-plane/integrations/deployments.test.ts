import { randomUUID } from "node:crypto";
import type { Deployment, Resources } from "../../answers";
import { type Answer, type Client, clientOf, start, stopAll } from "../client";

afterEach(stopAll);

const paths = { interface: "graph_config_path", langsmith: "langgraph_config_path" } as const;

function bodyOf(dialect: keyof typeof paths, name: string, integration_id?: string | null): object {
  return {
    name,
    source: "github",
    source_config: {
      repo_url: "https://example.test/agent.git",
      ...(integration_id !== undefined && { integration_id }),
    },
    source_revision_config: { repo_ref: "main", [paths[dialect]]: "langgraph.json" },
    secrets: [],
  };
}

describe.each(["interface", "langsmith"] as const)("in the %s dialect", (dialect) => {
  test("accepts a deployment only with an integration of its workspace, or with none", async () => {
    const { client, plane } = await start({
      dialect,
      organizations: [{ name: "one", apiKeys: ["key"], tenants: ["a", "b"] }],
    });
    const create = (to: Client, name: string, id?: string | null): Promise<Answer<Deployment>> =>
      to.post("/v2/deployments", bodyOf(dialect, name, id));
    const id = plane.admin.seedIntegration({ name: "acme" });
    const made = await create(client, "known", id);
    expect([made.status, made.body.source_config.integration_id]).toEqual([201, id]);
    expect((await create(client, "none")).status).toBe(201);
    expect((await create(client, "null", null)).status).toBe(201);
    // The public service does not accept a value that is not formatted as an ID.
    if (dialect === "langsmith") expect((await create(client, "unknown", "7")).status).toBe(422);
    for (const unknown of dialect === "langsmith" ? [randomUUID()] : [randomUUID(), "7"])
      expect(await create(client, "unknown", unknown)).toMatchObject({
        status: 400,
        body: {
          detail: `Source configuration error: 'source_config.integration_id' does not refer to an integration of this workspace: '${unknown}'`,
        },
      });
    const other = clientOf(plane, { "X-Tenant-Id": "b" });
    expect((await create(other, "foreign", id)).status).toBe(400);
    expect((await client.get<Resources<Deployment>>("/v2/deployments?name=unknown")).body.resources).toEqual(
      [],
    );

    plane.admin.removeIntegration(id);
    const change = { source_config: { integration_id: id, build_on_push: false } };
    expect((await client.patch(`/v2/deployments/${made.body.id}`, change)).status).toBe(200);
  });
});

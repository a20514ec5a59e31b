import type { DialectName } from "../../../emulator/index";
import type { Deployment, Resources } from "../../emulator/answers";
import { type Ground, settled, unknownId } from "./ground";

const deployments = "/v2/deployments";

/** Returns the body of a request that creates a deployment from a git repository. */
function fromGit(dialect: DialectName, name: string): object {
  const path = dialect === "langsmith" ? "langgraph_config_path" : "graph_config_path";
  return {
    name,
    source: "github",
    source_config: {
      repo_url: "https://git.example.test/agents.git",
      deployment_type: "prod",
      build_on_push: false,
    },
    source_revision_config: { repo_ref: "main", [path]: "langgraph.json" },
    secrets: [{ name: "MODEL_KEY", value: "sesame" }],
  };
}

/** Returns the body of a request that creates a deployment from a published image. */
export function fromImage(name: string): object {
  return {
    name,
    source: "external_docker",
    source_config: { resource_spec: { cpu: 2, memory_mb: 1024, labels: { team: "a" } }, custom_url: null },
    source_revision_config: { image_uri: "registry.example.test/agent:1" },
    secrets: [],
  };
}

/** Creates, reads, and updates deployments. */
export async function walkDeployments(ground: Ground): Promise<{ deploymentId: string; imageId: string }> {
  const { recorder, dialect } = ground;
  const { body: made, status } = await recorder.visit<Deployment>(
    "POST",
    deployments,
    fromGit(dialect, "walker"),
  );
  expect(status).toBe(201);
  const one = `${deployments}/${made.id}`;
  const { body: image } = await recorder.visit<Deployment>("POST", deployments, {
    ...fromImage("runner"),
    ...(dialect === "langsmith" && {
      secret_references: [{ name: "DB_KEY", secret_name: "db", secret_key: "key" }],
      shareable: true,
      route_through_gateway: true,
    }),
  });
  expect((await recorder.visit("POST", deployments, fromGit(dialect, "walker"))).status).toBe(409);
  expect((await recorder.visit("POST", deployments, { name: "bare" })).status).toBe(422);
  const foreign = { repo_url: "https://git.example.test/agents.git", integration_id: unknownId };
  const misled = { ...fromGit(dialect, "misled"), source_config: foreign };
  expect((await recorder.visit("POST", deployments, misled)).status).toBe(400);
  await settled(ground);
  const query = new URLSearchParams({ name: "walker", limit: "5", offset: "0", remote_reconciled: "true" });
  expect(
    (await recorder.visit<Resources<Deployment>>("GET", `${deployments}?${query.toString()}`)).body.resources,
  ).toHaveLength(1);
  const rest = `deployment_ids=${made.id},${image.id}&name_contains=walk&deployment_type=prod&status=READY`;
  expect(
    (await recorder.visit<Resources<Deployment>>("GET", `${deployments}?${rest}`)).body.resources,
  ).toHaveLength(1);
  await recorder.visit("GET", `${deployments}?url=https://example.test&tag_value_ids=a,b&image_version=1`);
  expect((await recorder.visit("GET", `${deployments}?limit=101`)).status).toBe(422);
  expect((await recorder.visit<Deployment>("GET", one)).body.active_revision_id).toBe(
    made.latest_revision_id,
  );
  await recorder.visit("GET", `${deployments}/${image.id}`);
  expect((await recorder.visit("PATCH", one, { source_config: { build_on_push: true } })).status).toBe(200);
  expect((await recorder.visit("PATCH", one, { secrets: [{ name: "MODEL_KEY" }] })).status).toBe(422);
  expect((await recorder.visit("PATCH", one, { source_config: { integration_id: unknownId } })).status).toBe(
    400,
  );
  const words = { display_name: "Walker", tracked_repo_ref: "main", revision_source: "github" };
  if (dialect === "langsmith") expect((await recorder.visit("PATCH", one, words)).status).toBe(200);
  await walkSizes(ground, one);
  for (const path of [`${deployments}/${unknownId}`, `${deployments}/seven`])
    for (const [method, sent] of [["GET"], ["PATCH", {}], ["DELETE"]] as const)
      expect((await recorder.visit(method, path, sent)).status).toBe(path.endsWith("seven") ? 422 : 404);
  return { deploymentId: made.id, imageId: image.id };
}

async function walkSizes({ recorder, dialect }: Ground, one: string): Promise<void> {
  const bodies = {
    "deployment-tier": { deployment_tier: "DEDICATED_M" },
    "resource-tiers": { compute_tier: "DEDICATED_L", database_tier: null },
  };
  for (const [path, body] of Object.entries(bodies)) {
    expect((await recorder.visit("PATCH", `${one}/${path}`, body)).status).toBe(200);
    expect((await recorder.visit("PATCH", `${deployments}/${unknownId}/${path}`, body)).status).toBe(404);
    expect((await recorder.visit("PATCH", `${one}/${path}`, { compute_tier: "HUGE" })).status).toBe(422);
  }
  expect((await recorder.visit("PATCH", `${one}/resource-tiers`, {})).status).toBe(400);
  const { source_config: config } = fromGit(dialect, "small") as { source_config: object };
  const small = { ...fromGit(dialect, "small"), source_config: { ...config, deployment_type: "serverless" } };
  const { id } = (await recorder.visit<Deployment>("POST", deployments, small)).body;
  const sized = await recorder.visit(
    "PATCH",
    `${deployments}/${id}/deployment-tier`,
    bodies["deployment-tier"],
  );
  expect(sized.status).toBe(400);
  expect((await recorder.visit("GET", `${deployments}/free-count`)).body).toEqual({ count: 0 });
}

/** Deletes the deployments that the walk has created. */
export async function walkDeletions(
  { recorder, plane, dialect }: Ground,
  id: string,
  other: string,
): Promise<void> {
  plane.admin.lingerDeleted(60, 60);
  expect((await recorder.visit("DELETE", `${deployments}/${id}?delete_tracing_project=true`)).status).toBe(
    204,
  );
  expect((await recorder.visit<Deployment>("GET", `${deployments}/${id}`)).body.status).toBe(
    "AWAITING_DELETE",
  );
  expect((await recorder.visit("DELETE", `${deployments}/${id}?force=true`)).status).toBe(204);
  const { id: third } = (await recorder.visit<Deployment>("POST", deployments, fromGit(dialect, "third")))
    .body;
  const query = `deployment_ids=${other}&deployment_ids=${third}`;
  expect((await recorder.visit("DELETE", `${deployments}?${query}`)).status).toBe(200);
  expect((await recorder.visit("DELETE", `${deployments}?deployment_ids=${unknownId}`)).status).toBe(404);
  expect((await recorder.visit("DELETE", `${deployments}?deployment_ids=seven`)).status).toBe(422);
}

import type { Listener, Resources } from "../../emulator/answers";
import type { Ground } from "./ground";

const repositories = [{ name: "agents", url: "https://git.example.test/agents.git" }];

/** Lists the sources that deployments can be created from. */
export async function walkIntegrations({ plane, recorder }: Ground): Promise<void> {
  const github = plane.admin.seedIntegration({ name: "acme", repositories });
  const forge = plane.admin.seedIntegration({ name: "acme", kind: "forge-github", repositories });
  for (const [path, id] of [
    ["/v1/integrations/github", github],
    ["/v1/integrations/forge/github", forge],
  ]) {
    expect((await recorder.visit("GET", `${path}/install`)).body).toHaveLength(1);
    expect((await recorder.visit("GET", `${path}/${id}/repos`)).body).toHaveLength(1);
    expect((await recorder.visit("GET", `${path}/seven/repos`)).status).toBe(422);
  }
}

/** Creates, updates, and deletes a listener. */
export async function walkListeners({ plane, recorder }: Ground): Promise<void> {
  const listeners = "/v2/listeners";
  const body = { compute_type: "k8s", compute_id: "cluster", compute_config: { k8s_namespaces: ["agents"] } };
  const { body: made } = await recorder.visit<Listener>("POST", listeners, { ...body, version: "1" });
  const one = `${listeners}/${made.id}`;
  expect((await recorder.visit("POST", listeners, body)).status).toBe(409);
  expect((await recorder.visit("POST", listeners, {})).status).toBe(422);
  await recorder.visit("POST", listeners, { ...body, compute_id: "other", compute_config: {} });
  expect(
    (await recorder.visit<Resources<Listener>>("GET", `${listeners}?limit=10&offset=0`)).body.resources,
  ).toHaveLength(2);
  expect((await recorder.visit("GET", `${listeners}?limit=0`)).status).toBe(422);
  await recorder.visit("GET", one);
  await recorder.visit("PATCH", one, { version: null, compute_config: { k8s_namespaces: null } });
  expect((await recorder.visit("PATCH", one, { version: 2 })).status).toBe(422);
  plane.admin.setSelfHostedEnterprise(false);
  for (const [method, path, sent] of [
    ["POST", listeners, body],
    ["GET", one],
    ["PATCH", one, {}],
    ["DELETE", one],
  ] as const)
    expect((await recorder.visit(method, path, sent)).status).toBe(403);
  plane.admin.setSelfHostedEnterprise(true);
  expect((await recorder.visit("DELETE", one)).status).toBe(204);
  for (const [method, sent] of [["GET"], ["PATCH", {}], ["DELETE"]] as const) {
    expect((await recorder.visit(method, one, sent)).status).toBe(404);
    expect((await recorder.visit(method, `${listeners}/seven`, sent)).status).toBe(422);
  }
}

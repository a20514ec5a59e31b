import * as pulumi from "@pulumi/pulumi";
import { AgentServerError, getDeployment, Workspace } from "../../sdk";
import { World } from "../provider/world";
import { withoutEngine } from "./program";

/** Returns the error that a program receives if `work` fails. */
async function caught(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return error;
  }
}

async function connected(): Promise<World> {
  await withoutEngine();
  const world = await World.start();
  pulumi.runtime.setAllConfig({
    "agentserver:baseUrl": world.plane.baseUrl,
    "agentserver:apiKey": world.plane.apiKey,
    "agentserver:tenantId": world.plane.tenantId,
  });
  return world;
}

const id = "00000000-0000-4000-8000-000000000000";

test("reports a missing deployment in an error that a program can recognize", async () => {
  await connected();
  const error = await caught(() => getDeployment({ id }));
  expect(AgentServerError.is(error) && [error.code, error.facts]).toEqual([
    "deployment_gone",
    { deploymentId: id },
  ]);
});

test("distinguishes a rejected key from a rejected request, and includes the request", async () => {
  const world = await connected();
  pulumi.runtime.setConfig("agentserver:apiKey", "another-key");
  const refused = await caught(() => getDeployment({ id }));
  expect(AgentServerError.is(refused) && [refused.code, refused.isDenied, refused.isTransient]).toEqual([
    "refused_credentials",
    true,
    false,
  ]);
  pulumi.runtime.setConfig("agentserver:apiKey", world.plane.apiKey);
  world.admin.fault({ kind: "status", status: 400, body: { detail: "no such thing" } });
  const answered = await caught(() => getDeployment({ id }));
  expect(AgentServerError.is(answered) && [answered.code, answered.facts]).toEqual([
    "request_refused",
    expect.objectContaining({
      status: 400,
      request: `GET /v2/deployments/${id}`,
      detail: "no such thing",
      deploymentId: id,
    }),
  ]);
});

test("reports a missing API key with the code missing_credentials", async () => {
  await withoutEngine();
  pulumi.runtime.setAllConfig({ "agentserver:baseUrl": "https://agents.example.com" });
  const error = await caught(() => getDeployment({ id }));
  expect(AgentServerError.is(error) && error.code).toBe("missing_credentials");
});

test("reports missing manifests as an AgentServerError", async () => {
  await withoutEngine();
  const error = await caught(() => new Workspace("agents", { manifests: "no-such-folder" }));
  expect(AgentServerError.is(error) && error.code).toBe("bad_manifest");
});

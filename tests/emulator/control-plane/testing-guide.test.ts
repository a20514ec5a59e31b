import { startControlPlane } from "../../../emulator/index";

/** The program that docs/test-kit.md describes, with a request instead of `pulumi up`. */
test("runs the program in docs/test-kit.md, in which a rollout fails and requests are recorded", async () => {
  const plane = await startControlPlane({ rollout: "simulated", secondsPerStatus: 0.01 });
  // The next rollout fails. Run `pulumi up` with these variables, and expect that it reports the reason.
  plane.admin.steer({ verdict: "BUILD_FAILED", reason: "no such ref", times: 1 });
  const env = {
    AGENTSERVER_BASE_URL: plane.baseUrl,
    AGENTSERVER_API_KEY: plane.apiKey,
    AGENTSERVER_TENANT_ID: plane.tenantId,
  };
  const headers = {
    "content-type": "application/json",
    "x-api-key": env.AGENTSERVER_API_KEY,
    "x-tenant-id": env.AGENTSERVER_TENANT_ID,
    connection: "close",
  };
  const url = `${env.AGENTSERVER_BASE_URL}/v2/deployments`;
  const created = await fetch(url, {
    method: "POST",
    headers,
    body: JSON.stringify({
      name: "agent",
      source: "github",
      source_config: { repo_url: "https://github.com/example/agents", deployment_type: "dev" },
      source_revision_config: { repo_ref: "v1", graph_config_path: "langgraph.json" },
      secrets: [],
    }),
  });
  expect(created.status).toBe(201);
  const { id, latest_revision_id } = (await created.json()) as { id: string; latest_revision_id: string };
  let revision: { status: string; status_message?: string };
  do {
    const response = await fetch(`${url}/${id}/revisions/${latest_revision_id}`, { headers });
    revision = (await response.json()) as typeof revision;
  } while (!/FAILED|DEPLOYED/.test(revision.status));
  expect(revision).toMatchObject({ status: "BUILD_FAILED", status_message: "no such ref" });
  const requests = plane.admin.journal({ writes: true });
  await plane.close();
  expect(requests).toMatchObject([{ method: "POST", path: "/v2/deployments" }]);
});

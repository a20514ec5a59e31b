import { startTestControlPlane, type TestControlPlane } from "../../../emulator/testing";

let plane: TestControlPlane;

beforeEach(async () => {
  plane = await startTestControlPlane({ tenantId: "tenant-1", apiKey: "key-1" });
});
afterEach(() => plane.close());

/** Sends a request with the connection settings of the test control plane. */
async function send<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const { AGENTSERVER_BASE_URL, AGENTSERVER_API_KEY, AGENTSERVER_TENANT_ID } = plane.environment;
  const headers = {
    "content-type": "application/json",
    "x-api-key": AGENTSERVER_API_KEY!,
    "x-tenant-id": AGENTSERVER_TENANT_ID!,
  };
  const response = await fetch(AGENTSERVER_BASE_URL + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

const body = {
  name: "support",
  source: "github",
  source_config: { repo_url: "https://git.example.com/agents.git" },
  source_revision_config: { repo_ref: "v1" },
  secrets: [{ name: "MODEL_KEY", value: "very-secret-value" }],
};

/** Creates a deployment, and returns its ID with the status and the reason of its first revision. */
async function rolledOut() {
  const { id } = await send<{ id: string }>("POST", "/v2/deployments", body);
  const { resources } = await send<{ resources: { status: string; status_message?: string }[] }>(
    "GET",
    `/v2/deployments/${id}/revisions`,
  );
  return { ...resources[0]!, id };
}

test("completes a rollout immediately, without advancing the time", async () => {
  const began = plane.clock.now();
  expect(await rolledOut()).toMatchObject({ status: "DEPLOYED" });
  expect(plane.clock.now()).toBe(began);
});

test("applies a plan for one rollout, and then the default plan again", async () => {
  plane.steer({ verdict: "BUILD_FAILED", reason: "requirements.txt is invalid.", times: 1 });
  const { id, ...failed } = await rolledOut();
  expect(failed).toMatchObject({ status: "BUILD_FAILED", status_message: "requirements.txt is invalid." });
  await send("DELETE", `/v2/deployments/${id}`);
  expect(await rolledOut()).toMatchObject({ status: "DEPLOYED" });
});

test("returns each write once, with placeholders for IDs and without secrets", async () => {
  const { id } = await rolledOut();
  await send("DELETE", `/v2/deployments/${id}`);
  const writes = plane.takeWrites();
  expect(writes.map(({ request, status }) => [request, status])).toEqual([
    ["POST /v2/deployments", 201],
    ["DELETE /v2/deployments/:id", 204],
  ]);
  expect(writes[0]!.body).toMatchObject({ source_revision_config: { repo_ref: "v1" } });
  expect(JSON.stringify(writes)).not.toContain("very-secret-value");
  expect(plane.takeWrites()).toEqual([]);
});

test("keeps all journal entries after writes have been returned", async () => {
  const { id } = await rolledOut();
  const whole = plane.admin.journal();
  expect(plane.takeWrites()).toHaveLength(1);
  expect(plane.admin.journal()).toEqual(whole);
  plane.admin.clearJournal();
  await send("DELETE", `/v2/deployments/${id}`);
  expect(plane.takeWrites()).toHaveLength(1);
  await plane.reset();
  await rolledOut();
  expect(plane.takeWrites()).toHaveLength(1);
});

test("deletes everything on reset, including the rollout plans", async () => {
  plane.steer({ verdict: "never" });
  await rolledOut();
  await plane.reset();
  expect(plane.takeWrites()).toEqual([]);
  expect(await rolledOut()).toMatchObject({ status: "DEPLOYED" });
});

test("rejects connections after it is closed", async () => {
  await plane.close();
  await expect(fetch(plane.baseUrl)).rejects.toThrow("fetch failed");
});

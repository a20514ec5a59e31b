import { type IncomingMessage, request } from "node:http";
import { fc } from "../../../properties";
import type { Deployment, Refused } from "../../answers";
import { VirtualClock } from "../../../../emulator/index";
import { failure, validationFailure } from "../../../../wire";
import { creation, creationIn, start, stopAll } from "../client";

afterEach(stopAll);

const id = "0b5c2a48-1c3e-4ad2-9d6e-5b2d0f3d0000";

test("reports each error in a body with its location and kind", async () => {
  const { client } = await start();
  const { status, body } = await client.post("/v2/deployments", {
    name: "",
    source: 7,
    source_config: { build_on_push: "yes", resource_spec: [] },
    secrets: [{ name: "A" }, "B"],
  });
  expect(status).toBe(422);
  const items = validationFailure.parse(body).detail.map(({ loc, type }) => [loc.join("."), type]);
  expect(items.sort()).toEqual([
    ["body.name", "string_too_short"],
    ["body.secrets.0.value", "missing"],
    ["body.secrets.1", "dict_type"],
    ["body.source", "string_type"],
    ["body.source_config.build_on_push", "bool_type"],
    ["body.source_config.resource_spec", "dict_type"],
    ["body.source_revision_config", "missing"],
  ]);
});

test.each(["name", "source", "source_config", "source_revision_config"])("requires %s", async (field) => {
  const { client } = await start();
  const { status, body } = await client.post("/v2/deployments", creation("agent", { [field]: undefined }));
  expect(status).toBe(422);
  expect(body).toEqual({ detail: [{ loc: ["body", field], msg: "Field required", type: "missing" }] });
});

test.each([
  "source_config.repo_url",
  "source_revision_config.repo_ref",
  "source_revision_config.graph_config_path",
])("rejects an empty %s in a create request and in a PATCH", async (path) => {
  const { client } = await start();
  const [group, field] = path.split(".") as ["source_config" | "source_revision_config", string];
  const whole = creation("agent") as Record<string, object>;
  const made = await client.post("/v2/deployments", { ...whole, [group]: { ...whole[group], [field]: "" } });
  expect([made.status, JSON.stringify(made.body)]).toEqual([
    400,
    expect.stringContaining(`'${path}' must not`),
  ]);
  const { id } = (await client.post<Deployment>("/v2/deployments", whole)).body;
  const changed = await client.patch(`/v2/deployments/${id}`, { [group]: { [field]: "" } });
  expect(changed.status).toBe(400);
});

test.each(["javascript:alert(1)", "ftp://a.test", "a.test", "http://", "//a.test", " data:text/html,x"])(
  "rejects the URL %s in a create request and in a PATCH",
  async (custom_url) => {
    const { client } = await start();
    const whole = creation("agent") as { source_config: object };
    const source_config = { ...whole.source_config, custom_url };
    const detail = "Source configuration error: 'source_config.custom_url' must be an http or https URL.";
    const refused = { status: 400, body: { detail } };
    expect(await client.post("/v2/deployments", { ...whole, source_config })).toMatchObject(refused);
    const { id } = (await client.post<Deployment>("/v2/deployments", whole)).body;
    const path = `/v2/deployments/${id}`;
    expect(await client.patch(path, { source_config: { custom_url } })).toMatchObject(refused);
    expect(await client.post(`${path}/revisions`, { source_config: { custom_url } })).toMatchObject(refused);
    for (const allowed of ["https://a.test/b", "http://a.test:8080", "", null])
      expect((await client.patch(path, { source_config: { custom_url: allowed } })).status).toBe(200);
  },
);

test("accepts a create request without secrets", async () => {
  const { client } = await start();
  const { status, body } = await client.post<Deployment>(
    "/v2/deployments",
    creation("agent", { secrets: undefined }),
  );
  expect(status).toBe(201);
  expect(body.secrets).toEqual([]);
});

test.each([
  ["/v2/deployments/nonsense", ["path", "deployment_id"], "uuid_parsing"],
  ["/v2/deployments/nonsense/revisions", ["path", "deployment_id"], "uuid_parsing"],
  [`/v2/deployments/${id}/revisions/nonsense`, ["path", "revision_id"], "uuid_parsing"],
  ["/v2/deployments?limit=0", ["query", "limit"], "greater_than_equal"],
  ["/v2/deployments?limit=101", ["query", "limit"], "less_than_equal"],
  ["/v2/deployments?offset=-1", ["query", "offset"], "greater_than_equal"],
  ["/v2/deployments?offset=later", ["query", "offset"], "int_parsing"],
  [`/v2/deployments/${id}/revisions/${id}/logs?type=other`, ["query", "type"], "literal_error"],
  ["/v2/deployments?agent_id=other", ["query", "agent_id"], "extra_forbidden"],
  [`/v2/deployments/${id}/revisions?state=DEPLOYED`, ["query", "state"], "extra_forbidden"],
  ["/v2/listeners?name=mine", ["query", "name"], "extra_forbidden"],
  ["/v2/auth/tokens?provider=slack", ["query", "provider"], "extra_forbidden"],
  ["/v2/auth/providers?provider_id=slack", ["query", "provider_id"], "extra_forbidden"],
  ["/v2/auth/agents/agent-1/connections?provider_id=slack", ["query", "provider_id"], "extra_forbidden"],
  ["/v1/integrations/github/install?name=acme", ["query", "name"], "extra_forbidden"],
  [`/v1/integrations/github/${id}/repos?limit=1`, ["query", "limit"], "extra_forbidden"],
  [`/v2/deployment-logs?deployment_id=${id}&text=x`, ["query", "text"], "extra_forbidden"],
])("rejects GET %s", async (path, loc, type) => {
  const { client } = await start();
  expect(await client.get(path)).toEqual(
    expect.objectContaining({ status: 422, body: { detail: [{ loc, type, msg: expect.any(String) }] } }),
  );
});

test.each([
  ["broken JSON", "{", {}, 422],
  ["an empty body", "", {}, 422],
  ["a list", "[]", {}, 422],
  ["null", "null", {}, 422],
  ["another content type", "name=agent", { "content-type": "application/x-www-form-urlencoded" }, 422],
])("responds to %s with a JSON error", async (_what, body, headers, status) => {
  const { client } = await start();
  const answer = await client.send<Refused<unknown>>("POST", "/v2/deployments", body, headers);
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toContain("application/json");
  expect(answer.body.detail).toBeDefined();
});

test("rejects a body whose declared length is too large", async () => {
  const { client } = await start();
  const answer = await client.post(
    "/v2/deployments",
    creation("agent", { padding: "x".repeat(11 * 1024 * 1024) }),
  );
  expect(answer).toMatchObject({ status: 413, body: { detail: expect.stringContaining("larger than") } });
});

test("rejects a large body without a declared length while it arrives", async () => {
  const { plane } = await start();
  const headers = {
    "X-Api-Key": plane.apiKey,
    "X-Tenant-Id": plane.tenantId,
    "content-type": "application/json",
  };
  const outgoing = request(`${plane.baseUrl}/v2/deployments`, { method: "POST", headers });
  const answered = new Promise<IncomingMessage>((resolve) => outgoing.once("response", resolve));
  // The body never ends, so only the received bytes can cause the rejection.
  outgoing.on("error", () => undefined).write("x".repeat(11 * 1024 * 1024));
  expect((await answered).statusCode).toBe(413);
  outgoing.destroy();
});

test("accepts a body without a declared length", async () => {
  const { plane } = await start();
  const answer = await plane.fetch(
    new Request(`${plane.baseUrl}/v2/deployments`, {
      method: "POST",
      headers: {
        "X-Api-Key": plane.apiKey,
        "X-Tenant-Id": plane.tenantId,
        "content-type": "application/json",
      },
      body: JSON.stringify(creation("agent")),
    }),
  );
  expect(answer.status).toBe(201);
});

test.each([
  ["lists", "[".repeat(100_000) + "]".repeat(100_000)],
  ["objects", '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)],
  ["an unknown field", `{"name":"agent","more":${"[".repeat(100)}${"]".repeat(100)}}`],
])("rejects %s that are nested too deeply", async (_what, body) => {
  const { client, faults } = await start({ admin: true });
  for (const path of ["/v2/deployments", "/v2/auth/authenticate", "/admin/faults"]) {
    const answer = await client.post(path, body);
    expect(answer.status).toBe(422);
    expect(validationFailure.parse(answer.body).detail).toEqual([
      { loc: ["body"], msg: "JSON must not be nested more than 100 levels deep", type: "json_invalid" },
    ]);
  }
  expect(faults).toEqual([]);
});

test("does not count brackets in strings as nesting", async () => {
  const { client } = await start();
  const more = `\\"${"[{".repeat(200)}`;
  expect((await client.post("/v2/deployments", creation("agent", { more }))).status).toBe(201);
});

test("responds to unknown routes and methods with JSON", async () => {
  const { client } = await start();
  for (const path of [
    "/nowhere",
    "/v1/projects",
    "/api-host",
    "/api-host/api-host/v2/deployments",
    "/admin/journal",
  ])
    expect(await client.get(path)).toMatchObject({ status: 404, body: { detail: "Not Found" } });
  const refused = await client.send("PUT", "/v2/deployments");
  expect(refused).toMatchObject({ status: 405, body: { detail: "Method Not Allowed" } });
  expect(refused.headers.get("allow")!.split(", ").sort()).toEqual(["DELETE", "GET", "HEAD", "POST"]);
});

test("returns status 500 for an internal error without its message", async () => {
  const clock = new VirtualClock();
  const { client, faults } = await start({ clock });
  jest.spyOn(clock, "now").mockImplementation(() => {
    throw new Error("the clock holds canary-value");
  });
  const answer = await client.post("/v2/deployments", creation("agent"));
  expect(answer).toMatchObject({ status: 500, body: { detail: "Internal Server Error" } });
  expect(faults).toEqual([expect.objectContaining({ message: "the clock holds canary-value" })]);
  jest.restoreAllMocks();
});

test("responds to any body with success, or with an error in the documented format", async () => {
  const { client } = await start();
  const field = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.string());
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record({
      name: field,
      source: field,
      source_config: field,
      source_revision_config: field,
      secrets: field,
    }),
  );
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const answer = await client.post("/v2/deployments", sent ?? null);
      if (answer.status === 201) return;
      expect([409, 422]).toContain(answer.status);
      (answer.status === 422 ? validationFailure : failure).parse(answer.body);
    }),
    { numRuns: 100 },
  );
});

test("rejects an empty string if the source requires a value", async () => {
  const { client } = await start({ dialect: "langsmith" });
  const creation = (more: object = {}) => creationIn("langsmith", "agent", more);
  const sourceConfig = { integration_id: id, repo_url: "", deployment_type: "prod" };
  const empty = creation({ source_config: sourceConfig });
  expect(await client.post("/v2/deployments", empty)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining("source_config.repo_url") },
  });
  const made = (await client.post<Deployment>("/v2/deployments", creation())).body;
  const change = { source_revision_config: { repo_ref: "" } };
  expect(await client.patch(`/v2/deployments/${made.id}`, change)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining("source_revision_config.repo_ref") },
  });
});

import type { Authentication } from "../answers";
import { authenticateResponse, validationFailure } from "../../../provider/control-plane/wire";
import { Client, start, stopAll } from "./client";

afterEach(stopAll);

const path = "/v2/auth/authenticate";
const request = { user_id: "ada", provider: "github", scopes: ["repo"] };

test("a user without a token is pending until the flow is completed", async () => {
  const { client, plane } = await start();
  const pending = authenticateResponse.parse((await client.post(path, request)).body);
  expect(pending).toEqual({
    status: "pending",
    url: expect.any(String),
    auth_id: expect.any(String),
    token: null,
  });
  expect((await client.post(`/api-host${path}`, request)).body).toEqual(pending);

  expect((await fetch(pending.url!)).status).toBe(200);
  const completed = authenticateResponse.parse((await client.post(path, request)).body);
  expect(completed).toEqual({ status: "completed", url: null, auth_id: null, token: expect.any(String) });
  expect(pending.url!.startsWith(plane.baseUrl)).toBe(true);
});

test("a token serves the scopes it has, for its user and provider", async () => {
  const { client, plane } = await start();
  plane.admin.seedToken({ userId: "ada", provider: "github", scopes: ["repo", "user"], token: "seeded" });
  const status = async (more: object): Promise<string> =>
    (await client.post<Authentication>(path, { ...request, ...more })).body.status;
  expect((await client.post(path, request)).body).toMatchObject({ status: "completed", token: "seeded" });
  expect(await status({ scopes: [] })).toBe("completed");
  expect(await status({ scopes: ["user", "repo"] })).toBe("completed");
  expect(await status({ scopes: ["repo", "admin"] })).toBe("pending");
  expect(await status({ user_id: "bob" })).toBe("pending");
  expect(await status({ provider: "gitlab" })).toBe("pending");
});

test("any one scheme will do, and none at all will not", async () => {
  const { plane } = await start({ apiKey: "key", tenantId: "tenant" });
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await new Client(plane.baseUrl, headers).post(path, request)).status;
  expect(await status({ "X-Api-Key": "key" })).toBe(200);
  expect(await status({ "X-Tenant-Id": "tenant" })).toBe(200);
  expect(await status({ Authorization: "Bearer key" })).toBe(200);
  expect(await status({ Authorization: "Bearer wrong", "X-Tenant-Id": "tenant" })).toBe(200);
  expect(await status({})).toBe(401);
  expect(await status({ "X-Api-Key": "wrong" })).toBe(401);
  expect(await status({ Authorization: "Basic key" })).toBe(401);
  expect(await status({ "X-Tenant-Id": "wrong" })).toBe(401);
});

test("organizations do not share tokens", async () => {
  const { plane } = await start({
    organizations: [
      { name: "acme", apiKeys: ["acme-key"], tenants: ["acme-one"] },
      { name: "other", apiKeys: ["other-key"], tenants: ["other-one"] },
    ],
  });
  plane.admin.seedToken({
    organization: "other",
    userId: "ada",
    provider: "github",
    scopes: ["repo"],
    token: "theirs",
  });
  const acme = new Client(plane.baseUrl, { "X-Api-Key": "acme-key", "X-Tenant-Id": "other-one" });
  expect((await acme.post<Authentication>(path, request)).body.status).toBe("pending");
  const other = new Client(plane.baseUrl, { "X-Tenant-Id": "other-one" });
  expect((await other.post<Authentication>(path, request)).body.token).toBe("theirs");
});

test("a request that does not validate gets the body of the interface document", async () => {
  const { client } = await start();
  const { status, body } = await client.post(path, { user_id: 1, scopes: "repo" });
  expect(status).toBe(422);
  expect(validationFailure.parse(body).detail).toEqual([
    { loc: ["body", "user_id"], msg: "Input should be a valid string", type: "string_type" },
    { loc: ["body", "provider"], msg: "Field required", type: "missing" },
    { loc: ["body", "scopes"], msg: "Input should be a valid list", type: "list_type" },
  ]);
});

test("optional fields are taken", async () => {
  const { client } = await start();
  const more = { ls_user_id: null, agent_id: "a", use_agent_builder_public_oauth: true };
  expect((await client.post(path, { ...request, ...more })).status).toBe(200);
});

test("a flow that nobody began cannot be completed", async () => {
  const { plane } = await start();
  const answer = await fetch(`${plane.baseUrl}/v2/auth/local/none`);
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { detail: "Authentication ID none not found." },
  ]);
});

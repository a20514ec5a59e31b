import type { ApiDocument, Authentication, Connection, Token } from "../../answers";
import { validationFailure } from "../../../../wire";
import { authenticateResponse } from "../../../../emulator/control-plane/wire";
import { Client, start, stopAll } from "../client";

afterEach(stopAll);

const path = "/v2/auth/authenticate";
const request = { user_id: "ada", provider: "github", scopes: ["repo"] };

test("returns the status pending for a user without a token until the flow is completed", async () => {
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

test("uses a token only for its own scopes, user, and provider", async () => {
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

test("accepts each authentication scheme on its own, and rejects requests without any", async () => {
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

test("does not use tokens of other organizations", async () => {
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

test("responds to an invalid request with the body that the interface document specifies", async () => {
  const { client } = await start();
  const { status, body } = await client.post(path, { user_id: 1, scopes: "repo" });
  expect(status).toBe(422);
  expect(validationFailure.parse(body).detail).toEqual([
    { loc: ["body", "user_id"], msg: "Input should be a valid string", type: "string_type" },
    { loc: ["body", "provider"], msg: "Field required", type: "missing" },
    { loc: ["body", "scopes"], msg: "Input should be a valid list", type: "list_type" },
  ]);
});

test("accepts the optional fields of a request", async () => {
  const { client } = await start();
  const more = { ls_user_id: null, agent_id: "a", use_agent_builder_public_oauth: true };
  expect((await client.post(path, { ...request, ...more })).status).toBe(200);
});

test("does not complete an unknown flow", async () => {
  const { plane } = await start();
  const answer = await fetch(`${plane.baseUrl}/v2/auth/local/none`);
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { detail: "Authentication ID none not found." },
  ]);
});

test("allows reads and authentication, but not changes, if only a tenant is specified", async () => {
  const { plane, client } = await start({ apiKey: "key", tenantId: "tenant" });
  const provider = {
    provider_id: "mine",
    name: "Mine",
    client_id: "c",
    auth_url: "https://auth.test/",
    token_url: "https://token.test/",
  };
  expect((await client.post("/v2/auth/providers", provider)).status).toBe(200);
  plane.admin.seedToken({ userId: "ada", provider: "mine", scopes: [], token: "seeded" });
  const [{ id: token }] = (await client.get<[Token]>("/v2/auth/tokens")).body;
  const connections = "/v2/auth/agents/agent/connections";
  const { id: connection } = (await client.post<Connection>(connections, { oauth_token_id: token })).body;
  const writes = [
    ["POST", "/v2/auth/providers", { ...provider, provider_id: "other" }],
    [
      "POST",
      "/v2/auth/providers/mcp-discover",
      { provider_id: "other", name: "x", mcp_url: "http://127.0.0.1:9/" },
    ],
    ["PATCH", "/v2/auth/providers/mine", { name: "Theirs" }],
    ["POST", "/v2/auth/callback/mine", { code: "c", state: "s" }],
    ["PATCH", `/v2/auth/tokens/${token}/metadata`, { provider_account_label: "theirs" }],
    ["POST", connections, { oauth_token_id: token }],
    ["POST", "/v2/auth/agents/agent/providers/mine/tokens", { access_token: "theirs", scopes: [] }],
    ["DELETE", `${connections}/${connection}`, undefined],
    ["DELETE", `/v2/auth/tokens/${token}`, undefined],
    ["DELETE", "/v2/auth/tokens?provider_id=mine", undefined],
    ["DELETE", "/v2/auth/tokens/workspace/slack", undefined],
    ["DELETE", "/v2/auth/providers/mine", undefined],
  ] as const;
  const stranger = new Client(plane.baseUrl, { "X-Tenant-Id": "tenant" });
  const everything = async () => {
    const places = ["/v2/auth/providers", "/v2/auth/tokens", connections, "/v2/auth/providers/mine"];
    const answers = await Promise.all(places.map((path) => stranger.get(path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    return answers.map(({ body }) => body);
  };
  const before = await everything();
  for (const prefix of ["", "/api-host"])
    for (const [method, path, body] of writes)
      expect([method, path, await stranger.send(method, prefix + path, body)]).toMatchObject([
        method,
        path,
        {
          status: 401,
          body: {
            detail: expect.stringMatching(/^A tenant ID alone only allows reading and authenticating/),
          },
        },
      ]);
  expect(await everything()).toEqual(before);
  const wish = { user_id: "ada", provider: "mine", scopes: [] };
  expect((await stranger.post<Authentication>("/v2/auth/authenticate", wish)).body.token).toBe("seeded");

  // The document specifies this too.
  const { paths } = (await client.get<ApiDocument>("/openapi.json")).body;
  const schemes = (path: string, method: string): string[] =>
    paths[path]![method]!.security.flatMap((one) => Object.keys(one));
  expect(schemes("/v2/auth/providers", "get")).toContain("Tenant ID");
  expect(schemes("/v2/auth/authenticate", "post")).toContain("Tenant ID");
  for (const [path, item] of Object.entries<object>(paths))
    for (const method of path.startsWith("/v2/auth/") ? Object.keys(item) : [])
      if (method !== "get" && path !== "/v2/auth/authenticate")
        expect([path, method, schemes(path, method)]).toEqual([path, method, ["API Key", "Bearer Auth"]]);
});

import type { ApiDocument, Authentication, Token } from "../../answers";
import { widerAuthenticateResponse } from "../../../../emulator/control-plane/wire";
import { start, stopAll } from "../client";
import { temporaryFolder } from "../folder";

afterEach(stopAll);

const path = "/v2/auth/authenticate";
const request = { user_id: "ada", provider: "github", scopes: ["repo"] };

test("responds to waiting callers when the flow is completed", async () => {
  const { client, clock } = await start();
  const { auth_id, url } = (await client.post<Authentication>(path, request)).body;
  const waiting = client.get<Authentication>(`/v2/auth/wait/${auth_id}?timeout=300`);
  await clock.advance(1000);
  await fetch(url);
  const shown = (await waiting).body;
  expect(shown).toEqual({ status: "completed", token: expect.any(String) });
  expect((await client.post<Authentication>(path, request)).body.token).toBe(shown.token);
  expect((await client.get(`/v2/auth/wait/${auth_id}`)).body).toEqual(shown);
});

test("ends a wait at its timeout", async () => {
  const { client, clock } = await start();
  const { auth_id } = (await client.post<Authentication>(path, request)).body;
  expect((await client.get(`/v2/auth/wait/${auth_id}?timeout=0`)).body).toEqual({
    status: "pending",
    token: null,
  });
  const waiting = client.get(`/v2/auth/wait/${auth_id}`);
  let over = false;
  void waiting.then(() => (over = true));
  for (let second = 0; second < 29; second++) await clock.advance(1000);
  expect(over).toBe(false);
  await clock.advance(60_000);
  expect((await waiting).body).toEqual({ status: "timeout", token: null });
  expect((await client.get("/v2/auth/wait/none")).body).toEqual({ status: "not_found", token: null });
  expect((await client.get(`/v2/auth/wait/${auth_id}?timeout=x`)).status).toBe(422);
});

test("keeps a pending flow across a restart", async () => {
  const state = temporaryFolder();
  const before = await start({ state });
  const pending = (await before.client.post<Authentication>(path, request)).body;
  await before.plane.close();
  const { client } = await start({ state });
  expect((await client.post(path, request)).body).toEqual(pending);
  await fetch(pending.url);
  expect((await client.post<Authentication>(path, request)).body.status).toBe("completed");
});

test("completes a flow only at the callback of its own provider", async () => {
  const { client, plane } = await start();
  const { auth_id } = (await client.post<Authentication>(path, request)).body;
  const back = (query: string, way = "callback/github"): Promise<Response> =>
    fetch(`${plane.baseUrl}/v2/auth/${way}?${query}`);
  expect((await back(`code=c0de&state=${auth_id}`, "callback/gitlab")).status).toBe(404);
  expect((await back("code=c0de&state=none")).status).toBe(404);
  const denied = await back(`state=${auth_id}&error=access_denied&error_description=<b>no</b>`);
  expect(denied.status).toBe(200);
  expect(await denied.text()).toContain("access_denied: &lt;b&gt;no&lt;/b&gt;");
  expect((await back("setup_action=update&installation_id=1", "setup/github")).status).toBe(200);
  expect((await client.post<Authentication>(path, request)).body.status).toBe("pending");

  expect((await back(`code=c0de-1&state=${auth_id}&setup_action=install`, "setup/github")).status).toBe(200);
  expect((await client.post<Authentication>(path, request)).body.status).toBe("completed");
  expect(JSON.stringify(plane.admin.journal())).not.toContain("c0de");
});

test("completes a flow when a custom page sends the code to the callback", async () => {
  const { client, plane } = await start();
  const { auth_id } = (await client.post<Authentication>(path, request)).body;
  const body = { code: "c0de-2", state: auth_id };
  expect((await fetch(`${plane.baseUrl}/v2/auth/callback/github`, { method: "POST" })).status).toBe(401);
  expect((await client.post("/v2/auth/callback/github", { code: "x" })).status).toBe(422);
  expect((await client.post("/v2/auth/callback/github", body)).status).toBe(200);
  expect((await client.post<Authentication>(path, request)).body.status).toBe("completed");
  expect(JSON.stringify(plane.admin.journal())).not.toContain("c0de-2");
});

describe("the langsmith dialect", () => {
  const wide = { dialect: "langsmith" } as const;

  test("supports additional fields, and includes the user in the response", async () => {
    const { client, plane } = await start(wide);
    const answer = async (more: object) => {
      const { status, body } = await client.post(path, { provider: "github", scopes: ["repo"], ...more });
      expect(status).toBe(200);
      return widerAuthenticateResponse.parse(body);
    };
    plane.admin.seedToken({ userId: "ada", provider: "github", scopes: ["repo"], token: "first" });
    const { id } = (await client.get<Token[]>("/v2/auth/tokens")).body[0]!;
    expect(await answer({ user_id: "ada" })).toEqual({
      status: "completed",
      url: null,
      auth_id: null,
      token: "first",
      user_id: "ada",
      metadata: null,
    });
    expect(await answer({ ls_user_id: "ada" })).toMatchObject({ status: "completed" });
    expect(await answer({ user_id: null })).toMatchObject({ status: "pending" });
    const fresh = await answer({ user_id: "ada", force_new: true, is_default: false });
    expect(fresh.status).toBe("pending");
    await fetch(fresh.url!);
    expect(await answer({ user_id: "ada" })).toMatchObject({ token: "first" });
    const another = await answer({ user_id: "ada", force_new: true });
    expect(another.auth_id).not.toBe(fresh.auth_id);
    await fetch(another.url!);
    const { token } = await answer({ user_id: "ada" });
    expect(token).not.toBe("first");
    expect(await answer({ user_id: "ada", token_id: id })).toMatchObject({ token: "first" });
    expect((await client.post(path, { ...request, token_id: "7" })).status).toBe(422);
  });

  test("returns the status token_expired for an expired token", async () => {
    const { client, clock, plane } = await start(wide);
    plane.admin.seedToken({
      userId: "ada",
      provider: "github",
      scopes: ["repo"],
      token: "t",
      expiresInSeconds: 60,
    });
    expect((await client.post<Authentication>(path, request)).body.status).toBe("completed");
    await clock.advance(60_000);
    const expired = (await client.post<Authentication>(path, request)).body;
    expect(expired).toMatchObject({ status: "token_expired", token: null, auth_id: expect.any(String) });
    await fetch(expired.url);
    expect((await client.post<Authentication>(path, request)).body.status).toBe("completed");
  });

  test("returns the status connection_required for an agent without a connection", async () => {
    const { client, plane } = await start(wide);
    const ask = { agent_id: "agent", provider: "github", scopes: [] };
    expect((await client.post(path, ask)).body).toMatchObject({ status: "connection_required", url: null });
    plane.admin.seedToken({ userId: "ada", provider: "github", scopes: [], token: "adas" });
    const { id } = (await client.get<Token[]>("/v2/auth/tokens")).body[0]!;
    await client.post("/v2/auth/agents/agent/connections", { oauth_token_id: id });
    expect((await client.post(path, ask)).body).toMatchObject({
      status: "completed",
      token: "adas",
      user_id: "ada",
    });
  });

  test("lists its additional fields in the API description, but not the hidden ones", async () => {
    const { client } = await start(wide);
    const { schemas } = (await client.get<ApiDocument>("/openapi.json")).body.components;
    const fields = Object.keys(schemas.AuthAuthenticateRequest!.properties);
    expect(fields).toEqual(expect.arrayContaining(["force_new", "token_id", "is_default"]));
    expect(fields).not.toContain("use_agent_builder_public_oauth");
    expect(schemas.AuthAuthenticateRequest!.required).toEqual(["provider", "scopes"]);
    expect(schemas.AuthAuthenticateResponse!.properties.status!.enum).toContain("token_expired");
  });
});

test("returns the status pending for an expired token in the interface dialect", async () => {
  const { client, clock, plane } = await start();
  plane.admin.seedToken({
    userId: "ada",
    provider: "github",
    scopes: ["repo"],
    token: "t",
    expiresInSeconds: 60,
  });
  await clock.advance(60_000);
  const expired = await client.post(path, { ...request, force_new: true });
  expect(expired.body).toEqual({
    status: "pending",
    url: expect.any(String),
    auth_id: expect.any(String),
    token: null,
  });
  expect(plane.admin.journal({ path })).toMatchObject([{ unknownFields: ["force_new"] }]);
  expect((await client.post(path, { ...request, user_id: undefined })).status).toBe(422);
});

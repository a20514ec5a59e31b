import type { Authentication, Connection, Refused, Token } from "../../answers";
import { agentConnectionResponse, oauthTokenSummary } from "../../../../emulator/control-plane/wire";
import { type Answer, start, stopAll } from "../client";
import { temporaryFolder } from "../folder";

afterEach(stopAll);

const path = "/v2/auth/tokens";
const seed = { userId: "ada", provider: "github", scopes: ["repo"], token: "seeded-token" };

test("lists, labels, and deletes tokens without revealing them", async () => {
  const { client, plane } = await start();
  plane.admin.seedToken({ ...seed, expiresInSeconds: 60 });
  plane.admin.seedToken({ ...seed, provider: "gitlab" });
  const all = (await client.get<Token[]>(path)).body;
  expect(all.map((one: unknown) => oauthTokenSummary.parse(one))).toEqual(all);
  expect(all).toMatchObject([{ provider_id: "gitlab" }, { provider_id: "github", scopes: ["repo"] }]);
  expect(JSON.stringify(all)).not.toContain("seeded-token");
  expect(all[1]!.expires_at).toBe(new Date(Date.UTC(2026, 0, 1) + 60_000).toISOString());

  const id = (await client.get<Token[]>(`${path}?provider_id=github`)).body[0]!.id;
  const labeled = await client.patch(`${path}/${id}/metadata`, { provider_account_label: "work" });
  expect(labeled).toMatchObject({ status: 200, body: { id, provider_account_label: "work" } });
  expect((await client.patch<Token>(`${path}/${id}/metadata`, {})).body.provider_account_label).toBe("work");

  const has = async (provider: string): Promise<boolean> =>
    (await client.get<{ has_token: boolean }>(`${path}/exists?provider_id=${provider}`)).body.has_token;
  expect(await has("github")).toBe(true);
  expect((await client.delete(`${path}/${id}`)).status).toBe(204);
  expect(await client.delete(`${path}/${id}`)).toMatchObject({
    status: 404,
    body: { detail: `OAuth token ID ${id} not found.` },
  });
  expect((await client.patch(`${path}/${id}/metadata`, {})).status).toBe(404);
  expect(await has("github")).toBe(false);
  expect((await client.delete(`${path}?provider_id=gitlab`)).body).toEqual({
    message: "Tokens revoked.",
    provider_id: "gitlab",
  });
  expect(await has("gitlab")).toBe(false);
  for (const answer of [
    await client.delete<Refused<object[]>>(path),
    await client.get<Refused<object[]>>(`${path}/exists`),
  ])
    expect(answer.body.detail).toMatchObject([{ loc: ["query", "provider_id"], type: "missing" }]);
});

test("has exactly one default token per user and provider, and uses it", async () => {
  const { client, plane } = await start();
  const served = async (): Promise<string | null> =>
    (
      await client.post<Authentication>("/v2/auth/authenticate", {
        user_id: "ada",
        provider: "github",
        scopes: [],
      })
    ).body.token;
  plane.admin.seedToken({ ...seed, token: "first" });
  plane.admin.seedToken({ ...seed, token: "second" });
  plane.admin.seedToken({ ...seed, userId: "bob", token: "bobs" });
  const [bobs, second, first] = (await client.get<Token[]>(path)).body;
  expect([bobs!.is_default, second!.is_default, first!.is_default]).toEqual([true, true, false]);
  expect(await served()).toBe("second");
  await client.patch(`${path}/${first!.id}/metadata`, { is_default: true });
  expect(await served()).toBe("first");
  const defaults = (await client.get<Token[]>(path)).body.map((one) => one.is_default);
  expect(defaults).toEqual([true, false, true]);
});

test("deletes all Slack tokens of the workspace together", async () => {
  const { client, plane } = await start();
  const exists = async (): Promise<boolean> =>
    (await client.get<{ has_token: boolean }>(`${path}/workspace/slack/exists`)).body.has_token;
  await client.post("/v2/auth/providers", {
    provider_id: "chat",
    name: "Chat",
    client_id: "c",
    auth_url: "https://chat.test/auth",
    token_url: "https://chat.test/token",
    provider_type: "slack",
  });
  expect(await exists()).toBe(false);
  for (const provider of ["slack", "chat", "github"]) plane.admin.seedToken({ ...seed, provider });
  expect(await exists()).toBe(true);
  expect((await client.delete(`${path}/workspace/slack`)).status).toBe(200);
  expect(await exists()).toBe(false);
  expect((await client.get(path)).body).toMatchObject([{ provider_id: "github" }]);
});

test("creates, lists, and deletes connections between agents and tokens", async () => {
  const state = temporaryFolder();
  const { client, plane } = await start({ state });
  const connections = "/v2/auth/agents/agent-1/connections";
  plane.admin.seedToken(seed);
  const token = (await client.get<Token[]>(path)).body[0]!;
  const made = await client.post<Connection>(connections, { oauth_token_id: token.id });
  expect(made.status).toBe(201);
  expect(agentConnectionResponse.parse(made.body)).toEqual({
    ...made.body,
    agent_id: "agent-1",
    oauth_token_id: token.id,
    provider_id: "github",
    scopes: ["repo"],
    created_by: "ada",
  });
  expect((await client.post(connections, { oauth_token_id: token.id })).body).toEqual(made.body);
  expect((await client.post(connections, { oauth_token_id: "none" })).status).toBe(404);
  expect((await client.get("/v2/auth/agents/agent-2/connections")).body).toEqual({ data: [] });
  expect((await client.delete(`/v2/auth/agents/agent-2/connections/${made.body.id}`)).status).toBe(404);

  await plane.close();
  const again = await start({ state });
  expect((await again.client.get(connections)).body).toEqual({ data: [made.body] });
  expect((await again.client.delete(`${connections}/${made.body.id}`)).status).toBe(204);
  await again.client.post(connections, { oauth_token_id: token.id });
  await again.client.delete(`${path}/${token.id}`);
  expect((await again.client.get(connections)).body).toEqual({ data: [] });
});

test("replaces an agent's token for a provider with the specified one", async () => {
  const { client, plane } = await start();
  const bring = (access_token: string, more: object = {}): Promise<Answer<Connection>> =>
    client.post("/v2/auth/agents/a/providers/gmail/tokens", { access_token, ...more });
  const first = await bring("first-token", { expires_in_seconds: 60, provider_account_label: "me" });
  expect(first).toMatchObject({ status: 201, body: { provider_id: "gmail", provider_account_label: "me" } });
  const second = (await bring("second-token")).body;
  expect((await client.get<{ data: Connection[] }>("/v2/auth/agents/a/connections")).body.data).toEqual([
    second,
  ]);
  expect((await client.get(path)).body).toMatchObject([{ id: second.oauth_token_id }]);
  const served = { user_id: "anyone", agent_id: "a", provider: "gmail", scopes: [] };
  expect((await client.post<Authentication>("/v2/auth/authenticate", served)).body.token).toBe(
    "second-token",
  );
  expect(JSON.stringify(plane.admin.journal())).not.toMatch(/first-token|second-token/);
});

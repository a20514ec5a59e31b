import type { Authentication, Connection, Token } from "../../emulator/answers";
import { withDiscoverableServer } from "./discoverable-server";
import type { Ground } from "./ground";

const auth = "/v2/auth";
const provider = {
  provider_id: "forge",
  name: "Forge",
  client_id: "client",
  auth_url: "https://forge.example.test/auth",
  token_url: "https://forge.example.test/token",
};

/** Sets up OAuth providers, authenticates users, and manages their tokens. */
export async function walkAuthentication(ground: Ground): Promise<void> {
  await walkProviders(ground);
  await walkFlows(ground);
  await walkTokens(ground);
}

async function walkProviders({ recorder }: Ground): Promise<void> {
  const providers = `${auth}/providers`;
  const whole = { ...provider, client_secret: "secret", uses_pkce: true, code_challenge_method: "S256" };
  const method = { provider_type: "slack", token_endpoint_auth_method: "client_secret_basic" };
  await recorder.visit("POST", providers, { ...whole, ...method });
  await recorder.visit("POST", providers, { ...provider, provider_id: "plain", client_secret: null });
  expect((await recorder.visit("POST", providers, { ...provider, provider_type: "other" })).status).toBe(422);
  await withDiscoverableServer(async (mcp_server_url) => {
    const wish = { provider_id: "tools", name: "Tools", mcp_server_url };
    expect((await recorder.visit("POST", `${providers}/mcp-discover`, wish)).status).toBe(200);
  });
  expect((await recorder.visit("POST", `${providers}/mcp-discover`, {})).status).toBe(422);
  expect((await recorder.visit("GET", providers)).body).toHaveLength(3);
  await recorder.visit("GET", `${providers}/tools`);
  await recorder.visit("PATCH", `${providers}/plain`, { name: "Plainer", client_id: null, uses_pkce: false });
  expect((await recorder.visit("PATCH", `${providers}/plain`, { name: 1 })).status).toBe(422);
  expect((await recorder.visit("DELETE", `${providers}/plain`)).status).toBe(200);
}

async function walkFlows({ recorder, plane, clock, dialect }: Ground): Promise<void> {
  const wish = { user_id: "ada", provider: "forge", scopes: ["repo"] };
  const authenticate = (more: object = {}) =>
    recorder.visit<Authentication>("POST", `${auth}/authenticate`, { ...wish, ...more });
  const pending = (await authenticate({ ls_user_id: null, agent_id: null })).body;
  expect(pending.status).toBe("pending");
  expect((await recorder.visit("POST", `${auth}/authenticate`, { provider: "forge" })).status).toBe(422);
  for (const [id, status] of [
    [pending.auth_id, "pending"],
    ["none", "not_found"],
  ])
    expect((await recorder.visit<Authentication>("GET", `${auth}/wait/${id}?timeout=0`)).body.status).toBe(
      status,
    );
  const waiting = recorder.visit<Authentication>("GET", `${auth}/wait/${pending.auth_id}`);
  let over = false;
  void waiting.then(() => (over = true));
  while (!over) await clock.advance(10_000);
  expect((await waiting).body.status).toBe("timeout");
  expect((await recorder.visit("GET", `${auth}/wait/x?timeout=long`)).status).toBe(422);
  const callback = `${auth}/callback/forge`;
  await recorder.visit("GET", `${callback}?state=${pending.auth_id}&error=denied&error_description=no`);
  await recorder.visit("GET", `${auth}/setup/forge?setup_action=update&installation_id=7`);
  expect((await recorder.visit("GET", `${auth}/setup/forge?installation_id=x`)).status).toBe(422);
  await recorder.visit("GET", `${callback}?code=c0de&state=${pending.auth_id}`);
  expect((await authenticate()).body.status).toBe("completed");
  expect((await recorder.visit<Authentication>("GET", `${auth}/wait/${pending.auth_id}`)).body.status).toBe(
    "completed",
  );
  const second = (await authenticate({ scopes: ["more"] })).body;
  expect((await recorder.visit("POST", callback, { code: "c0de", state: second.auth_id })).status).toBe(200);
  expect((await recorder.visit("POST", callback, {})).status).toBe(422);
  if (dialect === "interface") return;
  expect((await authenticate({ force_new: true, is_default: false })).body.status).toBe("pending");
  const unconnected = await authenticate({ user_id: undefined, agent_id: "agent-1" });
  expect(unconnected.body.status).toBe("connection_required");
  plane.admin.seedToken({ userId: "bob", provider: "forge", scopes: [], token: "t", expiresInSeconds: -1 });
  expect((await authenticate({ user_id: "bob", scopes: [] })).body.status).toBe("token_expired");
}

async function walkTokens({ recorder }: Ground): Promise<void> {
  const tokens = `${auth}/tokens`;
  const { body: owned } = await recorder.visit<Token[]>("GET", `${tokens}?provider_id=forge`);
  const [token, other] = owned as [Token, Token];
  const label = { provider_account_label: "work", is_default: true };
  await recorder.visit("PATCH", `${tokens}/${token.id}/metadata`, label);
  expect((await recorder.visit("PATCH", `${tokens}/${token.id}/metadata`, { is_default: 1 })).status).toBe(
    422,
  );
  expect((await recorder.visit("GET", `${tokens}/exists?provider_id=forge`)).body).toEqual({
    has_token: true,
  });
  expect((await recorder.visit("GET", `${tokens}/exists`)).status).toBe(422);
  await recorder.visit("GET", `${tokens}/workspace/slack/exists`);
  const connections = `${auth}/agents/agent-1/connections`;
  const { body: made, status } = await recorder.visit<Connection>("POST", connections, {
    oauth_token_id: token.id,
  });
  expect(status).toBe(201);
  expect((await recorder.visit("POST", connections, {})).status).toBe(422);
  expect((await recorder.visit<{ data: Connection[] }>("GET", connections)).body.data).toHaveLength(1);
  expect((await recorder.visit("DELETE", `${connections}/${made.id}`)).status).toBe(204);
  expect((await recorder.visit("DELETE", `${tokens}/${other.id}`)).status).toBe(204);
  expect((await recorder.visit("DELETE", tokens)).status).toBe(422);
  expect((await recorder.visit("DELETE", `${tokens}?provider_id=tools`)).status).toBe(200);
  expect((await recorder.visit("DELETE", `${tokens}/workspace/slack`)).status).toBe(200);
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Authentication, Refused } from "../../answers";
import { oauthProviderResponse } from "../../../../emulator/control-plane/wire";
import { Client, start, stopAll } from "../client";
import { temporaryFolder } from "../folder";

afterEach(stopAll);

const path = "/v2/auth/providers";
const body = {
  provider_id: "google",
  name: "Google",
  client_id: "client",
  client_secret: "shh-very-secret",
  auth_url: "https://accounts.example.test/auth",
  token_url: "https://accounts.example.test/token",
};

test("creates, reads, lists, changes, and deletes a provider without revealing its secret", async () => {
  const state = temporaryFolder();
  const { client, plane } = await start({ state });
  const created = await client.post(path, body);
  expect(created.status).toBe(200);
  expect(oauthProviderResponse.parse(created.body)).toEqual(created.body);
  const { client_secret: _, ...shown } = body;
  expect(created.body).toMatchObject({
    ...shown,
    uses_pkce: false,
    code_challenge_method: "S256",
    token_endpoint_auth_method: "client_secret_post",
    provider_type: null,
    is_dynamic_client: false,
  });
  expect((await client.get(`/api-host${path}/google`)).body).toEqual(created.body);
  expect((await client.get(path)).body).toEqual([created.body]);

  const patched = await client.patch(`${path}/google`, {
    name: "New",
    client_secret: "even-more-secret",
    uses_pkce: true,
    auth_url: null,
  });
  expect(patched.body).toMatchObject({ name: "New", uses_pkce: true, auth_url: body.auth_url });
  const seen = JSON.stringify([created, patched, await client.get(path), plane.admin.journal()]);
  expect(seen).not.toMatch(/shh-very-secret|even-more-secret/);
  expect(plane.admin.journal({ writes: true })[0]).toMatchObject({
    body: { ...shown, client_secret: "[masked]" },
  });

  await plane.close();
  const again = await start({ state });
  expect((await again.client.get(`${path}/google`)).body).toEqual(patched.body);
  const removed = await again.client.delete(`${path}/google`);
  expect([removed.status, removed.body]).toEqual([200, { message: "Provider 'google' deleted." }]);
  for (const answer of [
    await again.client.get(`${path}/google`),
    await again.client.patch(`${path}/google`, {}),
    await again.client.delete(`${path}/google`),
  ])
    expect(answer).toMatchObject({ status: 404, body: { detail: "OAuth provider 'google' not found." } });
});

test("deletes the tokens and open flows of a provider that is deleted", async () => {
  const { client, plane } = await start();
  await client.post(path, body);
  const request = { user_id: "ada", provider: "google", scopes: [] };
  const pending = (await client.post<Authentication>("/v2/auth/authenticate", request)).body;
  plane.admin.seedToken({ userId: "bob", provider: "google", scopes: [], token: "seeded" });
  plane.admin.seedToken({ userId: "bob", provider: "else", scopes: [], token: "stays" });
  await client.delete(`${path}/google`);
  expect((await client.get("/v2/auth/tokens")).body).toMatchObject([{ provider_id: "else" }]);
  expect((await fetch(pending.url)).status).toBe(404);
});

test("requires unique IDs per organization, and hides providers of other organizations", async () => {
  const { plane } = await start({
    organizations: [
      { name: "one", apiKeys: ["a"], tenants: ["ta"] },
      { name: "two", apiKeys: ["b"], tenants: ["tb"] },
    ],
  });
  const one = new Client(plane.baseUrl, { "X-Api-Key": "a" });
  const two = new Client(plane.baseUrl, { Authorization: "Bearer b" });
  expect((await one.post(path, body)).status).toBe(200);
  expect(await one.post(path, body)).toMatchObject({
    status: 409,
    body: { detail: "OAuth provider 'google' already exists." },
  });
  expect((await two.get(path)).body).toEqual([]);
  expect((await two.get(`${path}/google`)).status).toBe(404);
  expect((await two.post(path, body)).status).toBe(200);
  expect((await new Client(plane.baseUrl, {}).get(path)).status).toBe(401);
});

test.each([
  [{ name: 1 }, "name", "string_type"],
  [{ client_id: undefined }, "client_id", "missing"],
  [{ provider_type: "else" }, "provider_type", "literal_error"],
  [{ token_endpoint_auth_method: "x" }, "token_endpoint_auth_method", "literal_error"],
  [{ uses_pkce: "yes" }, "uses_pkce", "bool_type"],
])("rejects %j", async (change, field, type) => {
  const { client } = await start();
  const answer = await client.post<Refused<object[]>>(path, { ...body, ...change });
  expect([answer.status, answer.body.detail]).toEqual([
    422,
    [{ loc: ["body", field], msg: expect.any(String), type }],
  ]);
});

describe("discovery", () => {
  let server: Server;
  let origin: string;
  let registered: unknown;
  let withResource = true;
  let isEndless = false;

  beforeEach(async () => {
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const answers: Record<string, unknown> = {
        ...(withResource && {
          "/.well-known/oauth-protected-resource/mcp": { authorization_servers: [`${origin}/tenant`] },
          "/.well-known/oauth-authorization-server/tenant": endpoints(),
        }),
        ...(!withResource && { "/.well-known/oauth-authorization-server": endpoints() }),
        "/register": { client_id: "dynamic", client_secret: "dynamic-secret" },
      };
      if (request.method === "POST") {
        let text = "";
        for await (const part of request) text += part;
        registered = JSON.parse(text);
      }
      if (isEndless) return sendEndlessly(response);
      const found = answers[request.url!];
      response.writeHead(found ? 200 : 404, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify(found ?? {}));
    };
    server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const endpoints = (): object => ({
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
  });

  test.each([true, false])(
    "reads the provider from an MCP server (protected resource: %s)",
    async (printed) => {
      withResource = printed;
      const { client, plane } = await start();
      const wanted = { provider_id: "tools", name: "Tools", mcp_server_url: `${origin}/mcp` };
      const made = await client.post(`${path}/mcp-discover`, wanted);
      expect(made).toMatchObject({
        status: 200,
        body: {
          ...wanted,
          client_id: "dynamic",
          auth_url: `${origin}/authorize`,
          token_url: `${origin}/token`,
          uses_pkce: true,
          is_dynamic_client: true,
        },
      });
      expect(JSON.stringify(made.body)).not.toContain("dynamic-secret");
      expect(registered).toMatchObject({
        client_name: "Tools",
        redirect_uris: [`${plane.baseUrl}/v2/auth/callback/tools`],
      });
      expect((await client.post(`${path}/mcp-discover`, wanted)).status).toBe(409);
    },
  );

  test("stops reading an endless description", async () => {
    isEndless = true;
    const { client } = await start();
    const mcp_server_url = `${origin}/mcp`;
    const made = await client.post<Refused>(`${path}/mcp-discover`, {
      provider_id: "x",
      name: "X",
      mcp_server_url,
    });
    isEndless = false;
    expect([made.status, made.body.detail]).toEqual([
      400,
      expect.stringContaining("the response is larger than 1 MiB"),
    ]);
  });

  test("does not create a provider for a server without metadata", async () => {
    withResource = true;
    const { client } = await start();
    for (const mcp_server_url of [`${origin}/other`, "nonsense"]) {
      const made = await client.post<Refused>(`${path}/mcp-discover`, {
        provider_id: "x",
        name: "X",
        mcp_server_url,
      });
      expect([made.status, made.body.detail]).toEqual([
        400,
        expect.stringContaining(`No OAuth provider could be discovered at ${mcp_server_url}`),
      ]);
    }
    expect((await client.get(path)).body).toEqual([]);
  });
});

/** Sends data until the client closes the connection. */
function sendEndlessly(response: ServerResponse): void {
  const send = () => {
    while (response.write(" ".repeat(65_536)));
  };
  response.on("drain", send);
  send();
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { systemClock } from "../../../provider/clock";
import { resolveConnection } from "../../../provider/control-plane/connection";
import { Network } from "../../../provider/http/network";
import { agentServerService } from "../../../provider/session/endpoints";
import { Session } from "../../../provider/session/session";

const env = {
  AGENTSERVER_BASE_URL: "http://plane.example",
  AGENTSERVER_API_KEY: "key",
  AGENTSERVER_TENANT_ID: "tenant",
};
const session = new Session({ config: () => undefined, env, clock: systemClock, random: () => 0.5 });

test.each([
  "https://agent.example",
  "http://127.0.0.1:8123/agents/1",
  "http://localhost:1",
  "http://plane.example/a",
])("sends the key to the agent server at %s", (url) => {
  expect(() => session.agentServer(url)).not.toThrow();
});

test.each([
  "http://agent.example",
  "http://plane.example:81",
  "http://127.0.0.1.example",
  "ftp://localhost",
  "agent",
])("does not send the key to %s", (url) => {
  expect(() => session.agentServer(url)).toThrow("No credential is sent to the agent server's address");
});

test.each([{ AGENTSERVER_OFFLINE: "true" }, { AGENTSERVER_OFFLINE: "true", ...env }])(
  "is offline if the setting says so, even without a control plane (%j)",
  (settings) => {
    const options = { config: () => undefined, clock: systemClock, random: () => 0.5 };
    expect(new Session({ ...options, env: settings }).isOffline).toBe(true);
    expect(new Session({ ...options, env }).isOffline).toBe(false);
  },
);

test("sends the access token to an agent server if one is configured", () => {
  const network = new Network(undefined, undefined);
  const tokens = { ...env, AGENTSERVER_API_KEY: undefined, AGENTSERVER_ACCESS_TOKEN: "token" };
  const connection = resolveConnection(() => undefined, tokens);
  expect(agentServerService("https://agent.example", connection, network).headers).toEqual({
    Authorization: "Bearer token",
  });
});

test("omits possible secrets from an address in an error", () => {
  const refuse = () => session.agentServer("http://user:hush@agent.example/path?token=hush");
  expect(refuse).toThrow("address http://agent.example/path, because");
  expect(refuse).not.toThrow("hush");
});

test("reads a CA file once per session", () => {
  const folder = mkdtempSync(join(tmpdir(), "agentserver-session-"));
  try {
    const caFile = join(folder, "ca.pem");
    writeFileSync(caFile, rootCertificates[0]!);
    const config = (key: string) => (key === "caFile" ? caFile : undefined);
    const one = new Session({ config, env, clock: systemClock, random: () => 0.5 });
    one.client();
    rmSync(caFile);
    expect(() => one.client()).not.toThrow();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("shares connections between all clients of a session", async () => {
  const connections = new Set<unknown>();
  const server = createServer((request, response) => {
    connections.add(request.socket);
    response.writeHead(200, { "content-type": "application/json" }).end('{"resources":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const local = { ...env, AGENTSERVER_BASE_URL: `http://127.0.0.1:${port}` };
    const one = new Session({ config: () => undefined, env: local, clock: systemClock, random: () => 0.5 });
    for (let call = 0; call < 3; call += 1) await one.client().deployments.verifyAccess();
    expect(connections.size).toBe(1);
  } finally {
    server.close().closeAllConnections();
  }
});

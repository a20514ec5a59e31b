import { closedPort } from "../../tools/closed-port";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../../provider/clock";
import { ControlPlaneClient } from "../../../provider/control-plane/client";
import { AgentServerError } from "../../../provider/errors";
import { Pace } from "../../../provider/http/pace";
import { defaultRetryPolicy } from "../../../provider/http/retry";
import { Transport } from "../../../provider/http/transport";
import { serviceAt } from "./service";

const body = { name: "a", source: "github", source_config: {}, source_revision_config: {}, secrets: [] };
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Starts a server that records every request and always returns the same response. */
async function listen(
  port: number,
  answer: { status: number; body?: string; headers?: Record<string, string> },
) {
  const requests: string[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    void request.toArray().then((chunks) => bodies.push(Buffer.concat(chunks as Buffer[]).toString()));
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { requests, bodies, port: (server.address() as AddressInfo).port };
}

function clientOf(port: number, sleep: Clock["sleep"] = async () => {}, deadline?: number) {
  const clock = { now: () => 0, sleep };
  return new ControlPlaneClient(
    new Transport({
      service: serviceAt(port),
      clock,
      retry: defaultRetryPolicy,
      random: () => 1,
      ...(deadline && { deadline: { at: deadline, totalMs: deadline, setBy: "rollout.timeout" } }),
    }),
  );
}

test("sends a POST again as long as no server is listening", async () => {
  const port = await closedPort();
  let server: Awaited<ReturnType<typeof listen>> | undefined;
  let sleeps = 0;
  const client = clientOf(port, async () => {
    sleeps += 1;
    if (sleeps === 2) server = await listen(port, { status: 201, body: '{"id":"d"}' });
  });
  expect(await client.deployments.create(body)).toMatchObject({ id: "d" });
  expect(server!.requests).toEqual(["POST /v2/deployments"]);
});

test("stops after six attempts if no server is listening, and suggests what to check", async () => {
  const pauses: number[] = [];
  const client = clientOf(await closedPort(), async (ms) => void pauses.push(ms));
  await expect(client.deployments.verifyAccess()).rejects.toThrow(
    /^GET \/v2\/deployments at http:\/\/127\.0\.0\.1:\d+ received no response: .*ECONNREFUSED.*Check the address \(agentserver:baseUrl\)/,
  );
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000]);
});

test("does not send a POST again if the server accepts it and never responds", async () => {
  const patience = new AbortController();
  const timeout = jest.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
  try {
    let requests = 0;
    const server = createServer(() => {
      requests += 1;
      patience.abort();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await expect(clientOf(port).deployments.create(body)).rejects.toThrow(
      `POST /v2/deployments at http://127.0.0.1:${port} received no response: no response within 30 s.`,
    );
    expect(timeout).toHaveBeenCalledWith(30_000);
    expect(requests).toBe(1);
  } finally {
    timeout.mockRestore();
  }
});

test("does not pause beyond the deadline", async () => {
  const pauses: number[] = [];
  const client = clientOf(await closedPort(), async (ms) => void pauses.push(ms), 600);
  await expect(client.deployments.verifyAccess()).rejects.toThrow("received no response");
  expect(pauses).toEqual([250, 500]);
});

test.each([500, 502, 503, 504])("does not send a POST again after %i", async (status) => {
  const { port, requests } = await listen(0, { status });
  await expect(clientOf(port).deployments.create(body)).rejects.toMatchObject({
    code: "server_failed",
    facts: { status },
  });
  expect(requests).toHaveLength(1);
});

test("does not send a GET again after a final response", async () => {
  const { port, requests } = await listen(0, { status: 422, body: '{"detail":"no"}' });
  await expect(clientOf(port).deployments.verifyAccess()).rejects.toMatchObject({ code: "request_refused" });
  expect(requests).toHaveLength(1);
});

test.each([{ apiKey: "canary" }, { accessToken: "canary" }])(
  "does not follow a redirect with the credential %j",
  async (credential) => {
    const other = await listen(0, { status: 200 });
    const headers = { location: `http://127.0.0.1:${other.port}/` };
    const { port } = await listen(0, { status: 302, headers });
    const service = serviceAt(port, credential);
    const clock = { now: () => 0, sleep: async () => {} };
    const transport = new Transport({ service, clock, retry: defaultRetryPolicy, random: () => 1 });
    await expect(new ControlPlaneClient(transport).deployments.verifyAccess()).rejects.toThrow(
      "Set agentserver:baseUrl to the address that it redirects to",
    );
    expect(other.requests).toEqual([]);
  },
);

test("describes a page that is not from a control plane, and does not retry", async () => {
  const headers = { "content-type": "text/html" };
  const { port } = await listen(0, { status: 200, body: "<html>canary</html>", headers });
  const failure = await clientOf(port)
    .deployments.verifyAccess()
    .catch((error: unknown) => (error as Error).message);
  expect(failure).toContain(
    "(text/html, 19 characters). Check that agentserver:baseUrl points to a control plane.",
  );
  expect(failure).not.toContain("canary");
});

test("provides the facts of a failure as fields", async () => {
  const headers = { "x-request-id": "r-7" };
  const { port } = await listen(0, { status: 409, body: '{"detail":"taken"}', headers });
  const prepare = () => Promise.resolve({});
  await expect(clientOf(port).deployments.patch("d 1", prepare)).rejects.toMatchObject({
    code: "request_refused",
    facts: {
      status: 409,
      request: "PATCH /v2/deployments/d%201",
      requestId: "r-7",
      deploymentId: "d 1",
      detail: "taken",
    },
  });
});

test("rejects a redirect, names its target without possible secrets, and explains how to proceed", async () => {
  const headers = { location: "https://name:password@other.example/api-host/v2/deployments?token=hush" };
  const { port, requests } = await listen(0, { status: 301, headers });
  const refused = clientOf(port).deployments.verifyAccess();
  await expect(refused).rejects.toThrow(
    "redirects to https://other.example/api-host/v2/deployments, and credentials are never sent to the target of a redirect. Set agentserver:baseUrl",
  );
  await expect(refused).rejects.not.toThrow(/hush|password/);
  expect(requests).toHaveLength(1);
});

test("rejects a redirect without a usable target", async () => {
  const { port } = await listen(0, { status: 302, headers: { location: "ftp://x" } });
  await expect(clientOf(port).deployments.verifyAccess()).rejects.toThrow(
    "The control plane redirects, and credentials",
  );
});

test("does not retry a request that the server does not implement", async () => {
  const { port, requests } = await listen(0, { status: 501, body: '{"detail":"not here"}' });
  await expect(clientOf(port).deployments.verifyAccess()).rejects.toMatchObject({ code: "request_refused" });
  expect(requests).toHaveLength(1);
});

test("prepares the body again if another request causes a pause in the meantime", async () => {
  const { port, bodies } = await listen(0, { status: 200 });
  let now = 0;
  const clock: Clock = { now: () => now, sleep: (ms) => Promise.resolve(void (now += ms)) };
  const pace = new Pace(clock);
  const service = { ...serviceAt(port), pace };
  const transport = new Transport({ service, clock, retry: defaultRetryPolicy, random: () => 1 });
  const prepare = () => {
    if (now === 0) pace.pause(30_000);
    return Promise.resolve({ madeAt: now });
  };
  await transport.send({ method: "PATCH", path: "/d", prepare });
  expect(bodies).toEqual(['{"madeAt":30000}']);
});

test("does not send a request if its body cannot be prepared", async () => {
  const { port, requests } = await listen(0, { status: 200 });
  const failure = new AgentServerError("connection_failed", "GET /d received no response");
  const prepare = () => Promise.reject(failure);
  await expect(clientOf(port).deployments.patch("d", prepare)).rejects.toMatchObject({
    code: "connection_failed",
    facts: { notProcessed: true },
  });
  expect(requests).toEqual([]);
});

test("does not treat a deployment as deleted if the check before its deletion fails with a 404", async () => {
  const { port, requests } = await listen(0, { status: 200, body: "[]" });
  const failure = new AgentServerError("request_refused", "GET /d returned 404", { status: 404 });
  const check = () => Promise.reject(failure);
  await expect(clientOf(port).deployments.delete("d", check)).rejects.toThrow("GET /d returned 404");
  expect(requests).toEqual([]);
});

test("interprets a date in Retry-After relative to the server's clock", async () => {
  const serverTime = Date.UTC(2030, 0, 1);
  const headers = {
    date: new Date(serverTime).toUTCString(),
    "retry-after": new Date(serverTime + 20_000).toUTCString(),
  };
  const { port } = await listen(0, { status: 429, headers });
  const pauses: number[] = [];
  const client = clientOf(port, (ms) => Promise.resolve(void pauses.push(ms)));
  await expect(client.revisions.get("d", "r")).rejects.toThrow("429");
  expect(new Set(pauses)).toEqual(new Set([20_000]));
});

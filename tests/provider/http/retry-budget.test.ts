import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ControlPlaneClient } from "../../../provider/control-plane/client";
import { defaultRetryPolicy, RetryBudget } from "../../../provider/http/retry";
import { Transport } from "../../../provider/http/transport";
import { serviceAt } from "./service";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Returns a server and a client for it. The pauses of the client are recorded and take no time. */
async function serving(answer: RequestListener) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.method!);
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const pauses: number[] = [];
  const { port } = server.address() as AddressInfo;
  const clock = { now: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
  const transport = new Transport({
    service: serviceAt(port),
    clock,
    retry: defaultRetryPolicy,
    random: () => 1,
  });
  return { client: new ControlPlaneClient(transport), requests, pauses };
}

test("shares twelve retries among all requests of one operation", async () => {
  const { client, requests } = await serving((_request, response) => response.writeHead(503).end());
  for (let call = 0; call < 5; call += 1)
    await expect(client.deployments.verifyAccess()).rejects.toThrow("returned 503");
  // Two requests with six attempts, one with three, and then one attempt each.
  expect(requests).toHaveLength(6 + 6 + 3 + 1 + 1);
});

test("does not count polls of a wait toward the budget", async () => {
  const { client, requests } = await serving((_request, response) => response.writeHead(503).end());
  for (let look = 0; look < 5; look += 1)
    await expect(client.revisions.get("d", "r", undefined, true)).rejects.toThrow("503");
  expect(requests).toHaveLength(30);
  await expect(client.deployments.verifyAccess()).rejects.toThrow("503");
  expect(requests).toHaveLength(36);
});

test("limits requested pauses to 60 s and to the total budget of five minutes", async () => {
  const { client, pauses } = await serving((_request, response) => {
    response.writeHead(429, { "retry-after": "300" }).end('{"detail":"slow down"}');
  });
  await expect(client.deployments.verifyAccess()).rejects.toThrow(
    "returned 429: slow down. The control plane received too many requests: run the command again when it has recovered.",
  );
  await expect(client.deployments.verifyAccess()).rejects.toThrow("429");
  expect(pauses).toEqual([60_000, 60_000, 60_000, 60_000, 60_000]);
});

test.each([408, 429, 500, 503])("sends GET and DELETE again after %i", async (status) => {
  let answers = 0;
  const { client, requests } = await serving((_request, response) => {
    answers += 1;
    if (answers % 2 === 1) response.writeHead(status).end();
    else response.writeHead(200).end('{"resources":[]}');
  });
  await client.deployments.verifyAccess();
  await client.deployments.delete("d");
  expect(requests).toEqual(["GET", "GET", "DELETE", "DELETE"]);
});

test("sends a PATCH again after a rate limiter rejected it, but not after a 500", async () => {
  const statuses = [429, 200, 500];
  const { client, requests } = await serving((_request, response) =>
    response.writeHead(statuses.shift()!).end("{}"),
  );
  const prepare = () => Promise.resolve({});
  await client.deployments.patch("d", prepare);
  await expect(client.deployments.patch("d", prepare)).rejects.toThrow("500");
  expect(requests).toHaveLength(3);
});

test("consumes nothing when it rejects a retry", () => {
  const budget = new RetryBudget({ retries: 2, pauseMs: 100 });
  expect([budget.spend(90), budget.spend(20), budget.spend(10), budget.spend(0)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

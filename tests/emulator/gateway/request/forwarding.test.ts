import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serve, type ServerType } from "@hono/node-server";
import { Hono } from "hono";
import { createGateway } from "../../../../emulator/gateway/index";
import { eventually } from "../../rollout/processes";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let answer: Answer;
let agent: Server;
let origin: string;
let gateway: ServerType;
let url: string;

beforeAll(async () => {
  agent = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => agent.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
  const app = new Hono().route(
    "/api-host",
    createGateway({
      lookup: (deploymentId) => ({
        kind: "serving",
        origin,
        // This agent behaves like a Python agent, which decodes paths before it routes requests.
        ...(deploymentId === "decoding" && { internalApi: { origin, token: "token", documented: true } }),
      }),
      dataFolder: () => "/nonexistent",
    }).routes,
  );
  await new Promise<void>((resolve) => {
    gateway = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => resolve());
  });
  url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/api-host/agents/one`;
});

afterAll(() => {
  gateway.close();
  agent.close();
});

test("forwards the path and the query unchanged, without the control plane's key", async () => {
  let got: IncomingMessage | undefined;
  answer = (request, response) => {
    got = request;
    response.end();
  };
  await fetch(`${url}/store/a%2Fb%20c?namespace=a.b&x=%2F`, {
    headers: { "x-api-key": "key", "x-tenant-id": "t", authorization: "Bearer mine", "x-other": "1" },
  });
  expect(got!.url).toBe("/store/a%2Fb%20c?namespace=a.b&x=%2F");
  expect(got!.headers).toMatchObject({ authorization: "Bearer mine", "x-other": "1", host: origin.slice(7) });
  expect(got!.headers).not.toHaveProperty("x-api-key");
  expect(got!.headers).not.toHaveProperty("x-tenant-id");
});

test("normalizes percent-encoded characters that need no encoding", async () => {
  let got: IncomingMessage | undefined;
  answer = (request, response) => {
    got = request;
    response.end();
  };
  await fetch(`${url}/%73tore/a%2fb%7e?x=%41`);
  expect(got!.url).toBe("/store/a%2Fb~?x=%41");
});

test.each([
  ["x%2F..%2F..%2Fone%2Fpage", "/one/page"],
  ["x%2F..%2F..%2F..%2F..%2Fpage", "/page"],
])("treats %s as a path of the deployment, even if the agent decodes paths", async (path, forwarded) => {
  let got: IncomingMessage | undefined;
  answer = (request, response) => {
    got = request;
    response.writeHead(200, { "content-type": "text/html", "content-location": `${origin}/next` });
    response.end();
  };
  const { headers } = await fetch(`${url.replace(/one$/, "decoding")}/${path}`);
  expect(got!.url).toBe(forwarded);
  expect(headers.get("content-location")).toBe("/api-host/agents/decoding/next");
  expect(headers.get("content-security-policy")).toContain("sandbox");
});

test("removes headers that would affect the whole origin, and sandboxes the agent's documents", async () => {
  answer = (_, response) => {
    response.writeHead(200, {
      "content-type": "text/html",
      "service-worker-allowed": "/",
      "set-cookie": "a=1",
      "clear-site-data": '"*"',
      "content-security-policy": "default-src 'self'",
    });
    response.end("<script>1</script>");
  };
  const { headers } = await fetch(`${url}/page`);
  for (const name of ["service-worker-allowed", "set-cookie", "clear-site-data"])
    expect([name, headers.get(name)]).toEqual([name, null]);
  expect(headers.get("content-security-policy")).toBe("default-src 'self', sandbox; frame-ancestors 'none'");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("rejects service worker scripts", async () => {
  let requests = 0;
  answer = (_, response) => {
    requests += 1;
    response.end("self.onfetch = 1");
  };
  const refused = await fetch(`${url}/worker.js`, { headers: { "service-worker": "script" } });
  expect([refused.status, await refused.json()]).toEqual([
    403,
    { detail: "Service workers cannot be registered below the URL of a deployment." },
  ]);
  expect(requests).toBe(0);
});

test("forwards a body while the client is still sending it", async () => {
  const seen: string[] = [];
  answer = (request, response) => {
    request.on("data", (chunk: Buffer) => seen.push(chunk.toString()));
    request.on("end", () => response.end("done"));
  };
  let send!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (send = controller) });
  const pending = fetch(`${url}/upload`, { method: "PUT", body, duplex: "half" });
  send.enqueue(new TextEncoder().encode("one"));
  await eventually(() => seen.join("") === "one", "the first part arrives");
  send.enqueue(new TextEncoder().encode("two"));
  send.close();
  expect(await (await pending).text()).toBe("done");
  expect(seen.join("")).toBe("onetwo");
});

const megabytes = (count: number) => new Uint8Array(count * 1024 * 1024);

test.each([
  ["with a declared length", () => megabytes(26)],
  ["sent in chunks", () => new Blob([megabytes(26)]).stream()],
])("rejects a body that is too large: %s", async (_, body) => {
  answer = (request, response) => request.resume().on("end", () => response.end("taken"));
  const init = { method: "POST", body: body(), duplex: "half" } as RequestInit;
  const refused = await fetch(`${url}/upload`, init);
  expect([refused.status, await refused.json()]).toEqual([
    413,
    { detail: "The body is larger than 25 MiB." },
  ]);
  const taken = await fetch(`${url}/upload`, { method: "POST", body: megabytes(25) });
  expect(await taken.text()).toBe("taken");
});

test("replaces the agent's own address in location headers with the deployment's URL", async () => {
  answer = (_, response) => {
    response.writeHead(302, {
      Location: `${origin}/threads/1?a=b`,
      "Content-Location": `${origin}/x`,
      "Set-Cookie": ["a=1", "b=2"],
      Connection: "x-secret-hop",
      "X-Secret-Hop": "1",
    });
    response.end();
  };
  const redirect = await fetch(`${url}/x`, { redirect: "manual" });
  expect(redirect.status).toBe(302);
  expect(redirect.headers.get("location")).toBe("/api-host/agents/one/threads/1?a=b");
  expect(redirect.headers.get("content-location")).toBe("/api-host/agents/one/x");
  expect(redirect.headers.getSetCookie()).toEqual([]);
  expect(redirect.headers.get("x-secret-hop")).toBeNull();
});

test("returns 502 if the agent disconnects without a response", async () => {
  answer = (request) => request.socket.destroy();
  const broken = await fetch(`${url}/x`);
  expect(broken.status).toBe(502);
  expect(await broken.json()).toEqual({
    detail: "The agent server closed the connection without a response (ECONNRESET).",
  });
});

test("disconnects the caller if the agent interrupts a response", async () => {
  answer = (request, response) => {
    response.write("some");
    setImmediate(() => request.socket.destroy());
  };
  // The HTTP server prints the error.
  const printed = jest.spyOn(console, "error").mockImplementation(() => undefined);
  const cut = await fetch(`${url}/x`);
  await expect(cut.text()).rejects.toThrow();
  printed.mockRestore();
});

test.each(["before", "after"])(
  "cancels the request to the agent if the caller disconnects %s the response starts",
  async (when) => {
    let began = false;
    let left = false;
    answer = (request, response) => {
      if (when === "after") response.write("data: 1\n\n");
      began = true;
      request.on("close", () => (left = true));
      response.on("close", () => (left = true));
    };
    const leave = new AbortController();
    const pending = fetch(`${url}/stream`, { signal: leave.signal }).catch(() => undefined);
    await eventually(() => began, "the agent is asked");
    if (when === "after") await (await pending)!.body!.getReader().read();
    expect(when === "after" ? left : false).toBe(false);
    leave.abort();
    await eventually(() => left, "the agent notices");
    await pending;
  },
);

test("forwards HEAD requests and empty responses", async () => {
  answer = (_, response) => response.writeHead(204).end();
  expect((await fetch(`${url}/x`, { method: "DELETE" })).status).toBe(204);
  answer = (_, response) => response.writeHead(200, { "content-length": "5" }).end();
  expect((await fetch(`${url}/x`, { method: "HEAD" })).headers.get("content-length")).toBe("5");
});

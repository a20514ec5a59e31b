import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { start, stopAll } from "../client";

afterEach(stopAll);

/** Requests a path with another name in the `Host` header. Resolves with the status and the detail. */
function ask(
  baseUrl: string,
  host: string,
  path: string,
  headers = {},
): Promise<[number, string | undefined]> {
  return new Promise((resolve, reject) => {
    const asked = request(baseUrl + path, { headers: { ...headers, host } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve([answer.statusCode!, parsed(text)?.detail]));
    });
    asked.on("error", reject).end();
  });
}

function parsed(text: string): { detail?: string } | undefined {
  return text.startsWith("{") ? (JSON.parse(text) as { detail?: string }) : undefined;
}

test.each([
  "evil.example",
  "evil.example:80",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "192.0.2.1",
  "[2001:db8::1]",
])("rejects the host %s for all paths and keys", async (host) => {
  const { plane } = await start({ admin: true });
  const keys = { "x-api-key": plane.apiKey, "x-tenant-id": plane.tenantId };
  for (const path of [
    "/",
    "/ok",
    "/page/facts",
    "/openapi.json",
    "/v2/deployments",
    "/admin/journal",
    "/agents/x/ok",
  ])
    expect([path, ...(await ask(plane.baseUrl, host, path, keys))]).toEqual([
      path,
      421,
      expect.stringContaining("which is not an address of this control plane."),
    ]);
  expect(plane.admin.journal()).toEqual([]);
});

test.each([
  "localhost",
  "LOCALHOST:1",
  "127.0.0.1",
  "127.1.2.3:9",
  "[::1]:9",
  "agent.localhost",
  "localhost.",
])("accepts the host %s by default", async (host) => {
  const { plane } = await start();
  expect(await ask(plane.baseUrl, host, "/ok")).toEqual([200, undefined]);
});

test("accepts additional hosts that are configured as allowed", async () => {
  const { plane } = await start({ allowedHosts: ["Plane.example", "192.0.2.1"] });
  for (const host of ["plane.example", "PLANE.example:8443", "192.0.2.1"])
    expect(await ask(plane.baseUrl, host, "/ok")).toEqual([200, undefined]);
  expect((await ask(plane.baseUrl, "other.plane.example", "/ok"))[0]).toBe(421);
});

test("accepts the address at which a request arrives if the server listens on all addresses", async () => {
  const { plane } = await start({ host: "0.0.0.0" });
  const { port } = new URL(plane.baseUrl);
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => address);
  for (const address of ["127.0.0.1", ...outer]) {
    expect(await ask(`http://${address}:${port}`, address, "/ok")).toEqual([200, undefined]);
    expect((await ask(`http://${address}:${port}`, "evil.example", "/ok"))[0]).toBe(421);
  }
  expect((await fetch(`${plane.baseUrl}/ok`)).status).toBe(200);
});

test("accepts the host in its base URL if it listens on an IPv6 address", async () => {
  const { plane, client } = await start({ host: "::1" });
  expect(plane.baseUrl).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await fetch(`${plane.baseUrl}/ok`)).status).toBe(200);
  expect((await client.get("/v2/deployments")).status).toBe(200);
});

test("accepts an allowed IPv6 address in any spelling", async () => {
  const { plane } = await start({ allowedHosts: ["2001:db8:1:2:3:4:5:6", "2001:db8:0:0:0:0:0:9"] });
  for (const host of ["[2001:db8:1:2:3:4:5:6]", "[2001:db8::9]:80"])
    expect(await ask(plane.baseUrl, host, "/ok")).toEqual([200, undefined]);
});

test("accepts any host for requests without a socket", async () => {
  const { plane } = await start();
  expect((await plane.fetch(new Request("http://anything/ok"))).status).toBe(200);
});

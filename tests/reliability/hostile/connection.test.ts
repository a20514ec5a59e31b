import dns from "node:dns";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canary } from "../../provider/world";
import { authority, identity, type Identity } from "./certificates";
import { Proxy } from "./proxy";
import { HostileResource } from "./resource";
import { HostileServer } from "./server";

const folder = mkdtempSync(join(tmpdir(), "agentserver-tls-"));
const caFile = join(folder, "ca.pem");
const host = "control-plane.test";
const password = `${canary}-p@ss`;
let ca: Identity;
let good: Identity;

beforeAll(() => {
  ca = authority();
  good = identity(["localhost", host, "0.0.0.0"], { by: ca });
  writeFileSync(caFile, `A comment.\n${ca.cert}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns a deployment whose control plane has this host name. */
function resourceAt(server: HostileServer, name: string, env: NodeJS.ProcessEnv = {}): HostileResource {
  const address = `https://${name}${name === "localhost" ? `:${server.port}` : ""}`;
  return new HostileResource(server, {
    env: { AGENTSERVER_BASE_URL: address, AGENTSERVER_DIALECT: "interface", ...env },
  });
}

async function failureOf(resource: HostileResource): Promise<string> {
  const { failure } = await resource.create();
  expect(failure).toBeDefined();
  return failure!.message;
}

describe("a certificate", () => {
  test("is accepted with caFile if a private CA issued it, and default CAs stay trusted", async () => {
    const resource = resourceAt(await HostileServer.start(good), "localhost", {
      AGENTSERVER_CA_FILE: caFile,
    });
    expect(await resource.create()).toEqual({ id: "d1" });
  });

  test.each<[string, () => Identity, RegExp]>([
    [
      "self-signed",
      () => identity(["localhost"]),
      /its certificate is not trusted \(self-signed certificate.*agentserver:caFile \(AGENTSERVER_CA_FILE\) or in NODE_EXTRA_CA_CERTS\.$/,
    ],
    ["issued by an unknown CA", () => good, /its certificate is not trusted \(.*agentserver:caFile/],
  ])("is rejected with advice, and without sending a key, if it was %s", async (_what, make, text) => {
    const server = await HostileServer.start(make());
    const message = await failureOf(resourceAt(server, "localhost"));
    expect(message).toMatch(text);
    expect(message).not.toMatch(/turn|disable|reject/i);
    expect(server.keys).toEqual([]);
  });

  test.each<[string, () => Identity, RegExp]>([
    [
      "is for another host",
      () => identity(["elsewhere.test"], { by: ca }),
      /its certificate is for another host/,
    ],
    [
      "has expired",
      () => identity(["localhost"], { by: ca, expired: true }),
      /has expired or is not valid yet \(certificate has expired\)/,
    ],
  ])("is rejected, even if its CA is trusted, because it %s", async (_what, make, text) => {
    const server = await HostileServer.start(make());
    expect(await failureOf(resourceAt(server, "localhost", { AGENTSERVER_CA_FILE: caFile }))).toMatch(text);
    expect(server.keys).toEqual([]);
  });

  test("is reported as missing if the server uses http", async () => {
    expect(await failureOf(resourceAt(await HostileServer.start(), "localhost"))).toMatch(
      /no TLS connection could be established .*http:\/\//,
    );
  });
});

test.each<[string, string | undefined, string]>([
  ["that does not exist", undefined, "cannot be read (ENOENT)"],
  ["that contains no certificate", "nothing", "contains no certificate in PEM format"],
  [
    "that contains an invalid certificate",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    "contains a certificate that cannot be read",
  ],
])("fails the check for a caFile %s", async (what, content, problem) => {
  const file = join(folder, `${what}.pem`);
  if (content !== undefined) writeFileSync(file, content);
  const server = await HostileServer.start();
  const { failures } = await resourceAt(server, host, { AGENTSERVER_CA_FILE: file }).check();
  expect(failures).toHaveLength(1);
  expect(failures![0]!.reason).toContain(`${file} ${problem}`);
  expect(server.requests).toEqual([]);
});

describe("a proxy", () => {
  async function start(env: NodeJS.ProcessEnv = {}, tls: Identity = good) {
    const server = await HostileServer.start(tls);
    const proxy = await Proxy.start(server.port);
    const HTTPS_PROXY = proxy.addressFor(`user:${encodeURIComponent(password)}`);
    const resource = resourceAt(server, host, { HTTPS_PROXY, AGENTSERVER_CA_FILE: caFile, ...env });
    return { server, proxy, resource };
  }

  test("tunnels every request, and is the only host that receives its password", async () => {
    const { server, proxy, resource } = await start();
    expect(await resource.create()).toEqual({ id: "d1" });
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${host}:443`]));
    expect(proxy.asked.length).toBeGreaterThan(0);
    expect(proxy.asked.length).toBeLessThanOrEqual(server.requests.length);
    const basic = `Basic ${Buffer.from(`user:${password}`).toString("base64")}`;
    expect(new Set(proxy.credentials)).toEqual(new Set([basic]));
    expect(new Set(server.keys)).toEqual(new Set([`${canary}-key`]));
  });

  test("verifies the certificate through the tunnel", async () => {
    const { server, proxy, resource } = await start({ AGENTSERVER_CA_FILE: undefined });
    expect(await failureOf(resource)).toMatch(
      /through the proxy 127\.0\.0\.1:\d+: its certificate is not trusted/,
    );
    expect(server.keys).toEqual([]);
    expect(proxy.asked).toHaveLength(1);
    const other = await start({}, identity(["elsewhere.test"], { by: ca }));
    expect(await failureOf(other.resource)).toContain("its certificate is for another host");
  });

  test.each([
    [407, "It requires a user name and password"],
    [403, "Ask its operator"],
    [201, "Ask its operator"],
    [502, "Ask its operator"],
  ])(
    "attributes a %i response from the proxy to the proxy, not to the control plane",
    async (status, advice) => {
      const { server, proxy, resource } = await start();
      proxy.refuses = status;
      const message = await failureOf(resource);
      expect(message).toMatch(
        new RegExp(
          `the proxy 127\\.0\\.0\\.1:\\d+ returned ${status} instead of opening a tunnel\\. ${advice}`,
        ),
      );
      expect(message).not.toContain("p@ss");
      expect(server.requests).toEqual([]);
      expect(proxy.asked).toHaveLength(status < 500 ? 1 : 6);
    },
  );

  test("names a proxy that is not running, without its password", async () => {
    const { proxy, resource } = await start();
    await proxy.close();
    const message = await failureOf(resource);
    expect(message).toMatch(
      /received no response through the proxy 127\.0\.0\.1:\d+: .*ECONNREFUSED.*HTTPS_PROXY/,
    );
    expect(message).not.toContain("user");
  });

  describe("NO_PROXY", () => {
    let lookUp: jest.SpyInstance;
    beforeAll(() => {
      const local: dns.LookupAddress = { address: "127.0.0.1", family: 4 };
      const answer = (
        _name: string,
        _options: object,
        found: (error: null, all: dns.LookupAddress[]) => void,
      ) => found(null, [local]);
      lookUp = jest.spyOn(dns, "lookup").mockImplementation(answer as unknown as typeof dns.lookup);
    });
    afterAll(() => lookUp.mockRestore());

    test.each<[string, (port: number) => string, RegExp]>([
      [host, () => host, /^$/],
      [host, (port) => `${host}:${port}`, /^$/],
      [host, () => ".test", /^$/],
      [host, () => "*.test", /^$/],
      [host, () => "other,  test", /^$/],
      [host, () => "*", /^$/],
      [host, () => `${host}:1`, /CONNECT/],
      [host, () => `.${host},trol-plane.test`, /CONNECT/],
      ["0.0.0.0", () => "0.0.0.0", /^$/],
      ["0.0.0.0", () => "0.0.0.0/8", /^$/],
      ["0.0.0.0", (port) => `0.0.0.0:${port}`, /^$/],
    ])("determines whether connections to %s are direct (%#)", async (name, bypass, asked) => {
      const server = await HostileServer.start(good);
      const proxy = await Proxy.start(server.port);
      const resource = resourceAt(server, host, {
        AGENTSERVER_BASE_URL: `https://${name}:${server.port}`,
        AGENTSERVER_CA_FILE: caFile,
        HTTPS_PROXY: proxy.addressFor("user:x"),
        NO_PROXY: bypass(server.port),
      });
      expect(await resource.create()).toEqual({ id: "d1" });
      expect(proxy.asked.join()).toMatch(asked);
    });
  });

  describe("a proxy that uses https", () => {
    async function startTls(tls: Identity, env: NodeJS.ProcessEnv = {}) {
      const server = await HostileServer.start(env["AGENTSERVER_BASE_URL"] ? undefined : good);
      const proxy = await Proxy.start(server.port, tls);
      const address = proxy.addressFor(`user:${encodeURIComponent(password)}`);
      const proxies = { HTTPS_PROXY: address, HTTP_PROXY: address };
      return {
        server,
        proxy,
        resource: resourceAt(server, host, { ...proxies, AGENTSERVER_CA_FILE: caFile, ...env }),
      };
    }

    test("sends every request through nested tunnels", async () => {
      const { server, proxy, resource } = await startTls(good);
      expect(await resource.create()).toEqual({ id: "d1" });
      expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${host}:443`]));
      expect(new Set(server.keys)).toEqual(new Set([`${canary}-key`]));
    });

    test("sends plain http requests through it as well", async () => {
      const { proxy, resource } = await startTls(good, { AGENTSERVER_BASE_URL: `http://${host}` });
      expect(await resource.create()).toEqual({ id: "d1" });
      expect(proxy.asked).toContain(`POST http://${host}/api-host/v2/deployments`);
    });

    test("receives a password only after its certificate has been verified", async () => {
      const { proxy, resource } = await startTls(identity(["localhost"]));
      expect(await failureOf(resource)).toMatch(
        /through the proxy localhost:\d+: its certificate is not trusted/,
      );
      expect(proxy.asked).toEqual([]);
    });

    test("attributes a rejection by the proxy to the proxy", async () => {
      const { proxy, resource } = await startTls(good);
      proxy.refuses = 407;
      expect(await failureOf(resource)).toMatch(
        /the proxy localhost:\d+ returned 407 instead of opening a tunnel/,
      );
    });

    test("is reported with its setting if it does not actually support TLS", async () => {
      const { proxy, resource } = await start();
      const HTTPS_PROXY = `https://localhost:${proxy.port}`;
      const other = resourceAt(resource.server, host, { HTTPS_PROXY, AGENTSERVER_CA_FILE: caFile });
      expect(await failureOf(other)).toMatch(/no TLS connection could be established .*HTTPS_PROXY/);
    });
  });

  test("connects to this machine directly", async () => {
    const server = await HostileServer.start(good);
    const proxy = await Proxy.start(server.port);
    const resource = resourceAt(server, "localhost", {
      HTTPS_PROXY: proxy.addressFor("user:x"),
      AGENTSERVER_CA_FILE: caFile,
    });
    expect(await resource.create()).toEqual({ id: "d1" });
    expect(proxy.asked).toEqual([]);
  });

  test("sends plain http requests through HTTP_PROXY", async () => {
    const server = await HostileServer.start();
    const proxy = await Proxy.start(server.port);
    const resource = resourceAt(server, host, {
      AGENTSERVER_BASE_URL: `http://${host}`,
      HTTP_PROXY: proxy.addressFor("user:x"),
    });
    expect(await resource.create()).toEqual({ id: "d1" });
    expect(proxy.asked).toContain(`POST http://${host}/api-host/v2/deployments`);
  });

  test.each(["socks5://user:canary@host:1", "http://", "::::"])(
    "fails the check with HTTPS_PROXY=%s",
    async (HTTPS_PROXY) => {
      const { resource } = await start({ HTTPS_PROXY });
      const { failures } = await resource.check();
      expect(failures![0]!.reason).toContain("HTTPS_PROXY is not the address of an http or https proxy");
      expect(failures![0]!.reason).not.toContain("canary");
    },
  );
});

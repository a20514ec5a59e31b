import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { Engine } from "../../provider/hosts/dynamic/engine";
import { program } from "../../provider/hosts/dynamic/in-process";
import { ProviderProcess, userProject } from "../../provider/hosts/dynamic/provider-process";
import { temporaryFolder } from "../../tools/temporary-folder";
import { authority, identity, type Identity } from "./certificates";
import { HostileServer, raw, type Answer } from "./server";

const mebibyte = 1024 * 1024;
/** Compressed data that expands to 32 MB. Many copies of it form a single response. */
const bomb = gzipSync(Buffer.alloc(32 * mebibyte, "["));

function environment(server: HostileServer, scheme: "http" | "https" = "http"): NodeJS.ProcessEnv {
  return {
    AGENTSERVER_BASE_URL: `${scheme}://localhost:${server.port}`,
    AGENTSERVER_API_KEY: "k",
    AGENTSERVER_TENANT_ID: "t",
    AGENTSERVER_DIALECT: "interface",
    AGENTSERVER_OFFLINE: "true",
  };
}

/** Returns the peak memory usage of the process in bytes, or 0 if the system does not report it. */
function peakOf({ pid }: ProviderProcess): number {
  if (process.platform !== "linux") return 0;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024;
}

describe("a process with 128 MB of heap", () => {
  const chunk = Buffer.alloc(mebibyte, "{},");
  const answers: [string, RegExp, Answer][] = [
    ["17 MB", /more than 16 MiB/, raw(200, Buffer.alloc(17 * mebibyte, "["))],
    [
      "an answer without an end",
      /more than 16 MiB/,
      (_request, response) => {
        response.writeHead(200, { "content-type": "application/json" }).write("[");
        const more = (): unknown =>
          response.destroyed || (response.write(chunk) ? setImmediate(more) : undefined);
        response.on("drain", more);
        more();
      },
    ],
    [
      "a gzip bomb of 2 GB",
      /more than 16 MiB/,
      raw(200, Buffer.concat(Array.from({ length: 64 }, () => bomb)), { "content-encoding": "gzip" }),
    ],
    [
      "a gzip bomb of 2 GB with a failure",
      /more than 16 MiB/,
      raw(500, Buffer.concat(Array.from({ length: 64 }, () => bomb)), { "content-encoding": "gzip" }),
    ],
    [
      "a page of 15 MB",
      /returned 200, but the response is not one that a control plane sends/,
      raw(200, Buffer.alloc(15 * mebibyte, "x")),
    ],
  ];

  test("reports a clear error for responses of any size, without using more memory", async () => {
    const server = await HostileServer.start();
    const engine = await Engine.start();
    const env = { ...environment(server), NODE_OPTIONS: "--max-old-space-size=128" };
    const provider = await ProviderProcess.start(engine.address, env);
    const { inputs } = await provider.check({}, program);
    const before = peakOf(provider);
    for (const [what, text, answer] of answers) {
      server.odd.list = answer;
      const failure = await provider.create(inputs).catch((error: unknown) => (error as Error).message);
      expect([what, failure]).toEqual([what, expect.stringMatching(text)]);
    }
    expect(peakOf(provider) - before).toBeLessThan(256 * mebibyte);
    delete server.odd.list;
    expect(await provider.create(inputs)).toMatchObject({ id: "d1" });
  });
});

describe("a private CA", () => {
  const folder = temporaryFolder();
  const caFile = join(folder, "ca.pem");
  let good: Identity;

  beforeAll(() => {
    const ca = authority();
    good = identity(["localhost"], { by: ca });
    writeFileSync(caFile, ca.cert);
  });

  test.each<[string, () => NodeJS.ProcessEnv]>([
    ["NODE_EXTRA_CA_CERTS", () => ({ NODE_EXTRA_CA_CERTS: caFile })],
    [
      "AGENTSERVER_CA_FILE, relative to the project",
      () => ({ AGENTSERVER_CA_FILE: relative(userProject(), caFile) }),
    ],
    [
      "NODE_EXTRA_CA_CERTS in addition to AGENTSERVER_CA_FILE",
      () => {
        const other = join(folder, "other.pem");
        writeFileSync(other, authority().cert);
        return { NODE_EXTRA_CA_CERTS: caFile, AGENTSERVER_CA_FILE: other };
      },
    ],
  ])("is trusted by the provider's process with %s", async (_how, settings) => {
    const server = await HostileServer.start(good);
    const engine = await Engine.start();
    const provider = await ProviderProcess.start(engine.address, {
      ...environment(server, "https"),
      ...settings(),
    });
    const { inputs, failures } = await provider.check({}, program);
    expect(failures).toEqual([]);
    expect(await provider.create(inputs)).toMatchObject({ id: "d1" });
  });

  test("is required even if NODE_TLS_REJECT_UNAUTHORIZED is 0", async () => {
    const server = await HostileServer.start(good);
    const engine = await Engine.start();
    const env = { ...environment(server, "https"), NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    const provider = await ProviderProcess.start(engine.address, env);
    const { inputs } = await provider.check({}, program);
    const failure = await provider.create(inputs).catch((error: unknown) => (error as Error).message);
    expect(failure).toContain("its certificate is not trusted");
    expect(server.keys).toEqual([]);
  });
});

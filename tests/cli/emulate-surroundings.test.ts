import { execFileSync } from "node:child_process";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { ensureBuilt } from "../../tools/build/ensure-built";
import type { Values } from "../emulator/answers";
import { Client, creation } from "../emulator/control-plane/client";
import { saying } from "../emulator/gateway/agent";
import { deploy } from "../emulator/gateway/deployment";
import { agentFiles, answeringGraph } from "../emulator/rollout/agents";
import { Repository } from "../emulator/rollout/repository";
import { limitedDisk } from "../emulator/storage/disks";
import { readJson } from "../json";
import { temporaryFolder } from "../tools/temporary-folder";
import { EmulateProcess, endAll } from "./emulate-process";

const folder = temporaryFolder();

beforeAll(() => ensureBuilt(), 120_000);
afterAll(endAll);
const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close().closeAllConnections()));

/**
 * Source of a graph that searches the environment and the arguments of all processes for the words of the message, and
 * responds with the words that it found.
 */
const spy = answeringGraph(`
  const { readdirSync, readFileSync } = await import("node:fs");
  const texts = readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).flatMap((pid) =>
    ["environ", "cmdline"].map((file) => {
      try { return readFileSync("/proc/" + pid + "/" + file, "utf8"); } catch { return ""; }
    }));
  const found = said.split(" ").filter((word) => texts.some((text) => text.includes(word)));
  return JSON.stringify({ found, names: Object.keys(process.env).sort() });
`);

test("hides the keys and the environment of the control plane from agents", async () => {
  const environment = {
    AGENTSERVER_API_KEY: "canary-api-key",
    AGENTSERVER_ADMIN_KEY: "canary-admin-key",
    CLOUD_ACCESS_TOKEN: "canary-of-the-shell",
    NODE_OPTIONS: "--no-deprecation",
    LC_CTYPE: "C.UTF-8",
  };
  const emulate = new EmulateProcess(
    { folder, environment },
    "--state",
    join(folder, "private"),
    "--tenant-id",
    "tenant-1",
  );
  const baseUrl = await emulate.address();
  const served = { baseUrl, apiKey: "canary-api-key", tenantId: "tenant-1" };
  // The agent can read its own environment, which proves that the check works.
  const repository = new Repository(agentFiles(spy, { env: { CONFIGURED: "canary-configured" } }));
  const url = await deploy(served, repository);
  const words = ["canary-api-key", "canary-admin-key", "canary-of-the-shell", "canary-configured"];
  const { body } = await new Client(url, { "X-Api-Key": served.apiKey }).post<Values>(
    "/runs/wait",
    saying(words.join(" ")),
  );
  const { found, names } = readJson<{ found: string[]; names: string[] }>(body.messages.at(-1)!.content);
  expect(found).toEqual(["canary-configured"]);
  expect(names).toEqual(expect.arrayContaining(["PATH", "LC_CTYPE", "CONFIGURED"]));
  for (const name of [...Object.keys(environment), "AGENTSERVER_HANDOVER"])
    if (name !== "LC_CTYPE") expect(names).not.toContain(name);
  expect(await emulate.stop()).toEqual({ code: 0, signal: null });
});

/** Starts a registry that serves the `@corp/private` package to clients that send the token. */
async function privateRegistry(token: string): Promise<string> {
  const packed = join(folder, "packed");
  mkdirSync(join(packed, "package"), { recursive: true });
  const manifest = { name: "@corp/private", version: "1.0.0", main: "index.js" };
  writeFileSync(join(packed, "package/package.json"), JSON.stringify(manifest));
  writeFileSync(join(packed, "package/index.js"), 'exports.text = "from the private package";');
  const tarball = execFileSync("tar", ["-C", packed, "-cz", "package"]);
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    if (request.headers.authorization !== `Bearer ${token}`) response.writeHead(401).end();
    else if (request.url!.endsWith(".tgz")) response.end(tarball);
    else {
      const versions = { "1.0.0": { ...manifest, dist: { tarball: `${origin}/private.tgz` } } };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ name: manifest.name, "dist-tags": { latest: "1.0.0" }, versions }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("lets git and npm use the user's credentials without exposing them to the agent", async () => {
  const registry = await privateRegistry("canary-npm-token");
  const host = new URL(registry).host;
  const npmrc = join(folder, "user.npmrc");
  writeFileSync(npmrc, `//${host}/:_authToken=\${NPM_TOKEN}\ncache=${join(folder, "npm-cache")}\n`);
  const repository = new Repository({
    ...agentFiles(
      `import { text as origin } from "@corp/private";\n${spy.replace("{ found,", "{ origin, found,")}`,
    ),
    "package.json": JSON.stringify({ dependencies: { "@corp/private": "^1.0.0" } }),
  });
  const environment = {
    AGENTSERVER_API_KEY: "key-1",
    NPM_TOKEN: "canary-npm-token",
    npm_config_userconfig: npmrc,
    "npm_config_@corp:registry": registry,
    GH_TOKEN: "canary-gh-token",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.${repository.folder}.insteadOf`,
    GIT_CONFIG_VALUE_0: "https://git.corp.example/canary-of-git",
    NODE_USE_ENV_PROXY: "1",
  };
  const emulate = new EmulateProcess(
    { folder, environment },
    ...["--state", join(folder, "access"), "--tenant-id", "tenant-1"],
  );
  const served = { baseUrl: await emulate.address(), apiKey: "key-1", tenantId: "tenant-1" };
  const url = await deploy(served, { folder: environment.GIT_CONFIG_VALUE_0 } as Repository);
  const words = ["canary-npm-token", "canary-gh-token"].join(" ");
  const { body } = await new Client(url, { "X-Api-Key": "key-1" }).post<Values>("/runs/wait", saying(words));
  const { origin, found, names } = readJson<{ origin: string; found: string[]; names: string[] }>(
    body.messages.at(-1)!.content,
  );
  expect(origin).toBe("from the private package");
  expect(found).toEqual([]);
  expect(names).toContain("NODE_USE_ENV_PROXY");
  for (const name of Object.keys(environment))
    if (name !== "NODE_USE_ENV_PROXY") expect(names).not.toContain(name);
  expect(await emulate.stop()).toEqual({ code: 0, signal: null });
});

test("continues if it cannot print errors because the disk is full", async () => {
  const log = join(folder, "log");
  const words = ["--state", join(folder, "full"), "--rollout", "simulated", "--tenant-id", "tenant-1"];
  const environment = { AGENTSERVER_API_KEY: "key-1" };
  const emulate = new EmulateProcess({ folder, environment, stderr: openSync(log, "a") }, ...words);
  const client = new Client(await emulate.address(), { "X-Api-Key": "key-1", "X-Tenant-Id": "tenant-1" });
  const disk = limitedDisk();

  disk.fill(emulate.child.pid!);
  expect((await client.post("/v2/deployments", creation("agent"))).status).toBe(507);
  expect((await client.get("/v2/deployments")).status).toBe(200);
  disk.free(emulate.child.pid!);
  expect((await client.post("/v2/deployments", creation("agent"))).status).toBe(201);

  expect(readFileSync(log, "utf8")).toBe("");
  expect(await emulate.stop()).toEqual({ code: 0, signal: null });
});

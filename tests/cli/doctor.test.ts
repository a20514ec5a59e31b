import { chmodSync } from "node:fs";
import { join } from "node:path";
import { exitCodeOf } from "../../cli/command-process";
import { nodeFinding, showDiagnosis } from "../../cli/doctor/show-diagnosis";
import { type Clock, systemClock } from "../../provider/clock";
import { canary, World } from "../provider/world";
import { closedPort } from "../tools/closed-port";
import { temporaryFolder } from "../tools/temporary-folder";

/** Runs the command in a folder, with a fake `pulumi` command that prints this version. */
async function diagnosis({
  env = {},
  files = {},
  pulumi = "v3.259.0",
  clock = systemClock,
}: {
  env?: NodeJS.ProcessEnv;
  files?: Record<string, string>;
  pulumi?: string | undefined;
  clock?: Clock;
}) {
  const cwd = temporaryFolder({ "bin/pulumi": `#!/bin/sh\necho ${pulumi}\n`, ...files });
  chmodSync(join(cwd, "bin", "pulumi"), 0o755);
  const shown: string[] = [];
  const output = { isTTY: false, write: async (text: string) => void shown.push(text) };
  const code = await exitCodeOf((context) => showDiagnosis(context, {}), {
    cwd,
    env: { PATH: `${join(cwd, "bin")}:/bin:/usr/bin`, ...env },
    clock,
    random: () => 0.5,
    stdout: output,
    stderr: output,
    signal: new AbortController().signal,
  });
  return { code, lines: shown.join("").trimEnd().split("\n") };
}

const sdk = (version: string) => ({
  "node_modules/@pulumi/pulumi/package.json": JSON.stringify({ name: "@pulumi/pulumi", version }),
});

describe.each(["interface", "langsmith"] as const)("with a control plane in the %s dialect", (dialect) => {
  test("reports no problems in a correct setup", async () => {
    const world = await World.start({ dialect });
    const { code, lines } = await diagnosis({ env: world.environment, files: sdk("3.259.0") });
    expect(lines.slice(1)).toEqual([
      "✓ Pulumi 3.259.0",
      "✓ @pulumi/pulumi 3.259.0",
      expect.stringMatching(/^✓ Control plane http:\/\/127\.0\.0\.1:\d+\S*, workspace tenant-1$/),
      "✓ No proxy",
      `✓ Dialect ${dialect} (detected)`,
      "✓ The control plane accepts the credentials",
      "✓ The local clock matches the clock of the control plane",
    ]);
    expect(code).toBe(0);
    expect(world.admin.journal({ writes: true })).toEqual([]);
    expect(lines.join("\n")).not.toContain(canary);
  });
});

test("lists the settings that contain a rejected key, but not the key", async () => {
  const world = await World.start();
  const env = { ...world.environment, AGENTSERVER_API_KEY: `${canary}-wrong` };
  const { code, lines } = await diagnosis({ env });
  expect(lines.filter((line) => line.startsWith("✗"))).toEqual([
    expect.stringMatching(/ 40[13].*Check agentserver:apiKey \(AGENTSERVER_API_KEY\)/),
  ]);
  expect(lines.join("\n")).not.toContain(canary);
  expect(code).toBe(1);
});

test("stops at a missing setting, and explains how to specify it", async () => {
  const { code, lines } = await diagnosis({});
  expect(lines.at(-1)).toMatch(/^✗ No control plane is configured: .*AGENTSERVER_BASE_URL/);
  expect(code).toBe(1);
});

test("reports an address that does not respond", async () => {
  const env = {
    AGENTSERVER_BASE_URL: `http://127.0.0.1:${await closedPort()}`,
    AGENTSERVER_API_KEY: "key",
    AGENTSERVER_TENANT_ID: "tenant",
  };
  const { code, lines } = await diagnosis({ env });
  expect(lines.at(-1)).toMatch(/^✗ .*ECONNREFUSED|^✗ .*refused/);
  expect(code).toBe(1);
});

test("hides the password of a proxy, and reports a proxy that cannot be used", async () => {
  const env = {
    AGENTSERVER_BASE_URL: "https://control-plane.invalid",
    AGENTSERVER_API_KEY: "key",
    AGENTSERVER_TENANT_ID: "tenant",
    AGENTSERVER_DIALECT: "interface",
  };
  const hidden = await diagnosis({ env: { ...env, HTTPS_PROXY: `http://user:${canary}@127.0.0.1:9` } });
  expect(hidden.lines).toContain("✓ Proxy http://127.0.0.1:9");
  expect(hidden.lines.join("\n")).not.toContain(canary);
  const { lines } = await diagnosis({ env: { ...env, HTTPS_PROXY: "socks5://127.0.0.1:9" } });
  expect(lines).toContainEqual(
    expect.stringMatching(/^✗ HTTPS_PROXY is not the address of an http or https/),
  );
});

test("warns if the local clock differs from the control plane's clock", async () => {
  const world = await World.start();
  const now = () => systemClock.now() - 5 * 60_000;
  const { code, lines } = await diagnosis({ env: world.environment, clock: { ...systemClock, now } });
  expect(lines.at(-1)).toMatch(
    /^! The local clock is [45]m\S* behind that of the control plane\. Synchronize it/,
  );
  expect(code).toBe(0);
});

test("reports a Pulumi CLI that cannot be run, and an SDK that is too old", async () => {
  const { code, lines } = await diagnosis({ env: { PATH: "/nowhere" }, files: sdk("3.100.0") });
  expect(lines[1]).toMatch(/^✗ pulumi is not on the PATH.* Install Pulumi/);
  expect(lines[2]).toBe(
    "✗ @pulumi/pulumi 3.100.0 is not supported. Install 3.249.0 or later, for example with `npm install @pulumi/pulumi@3.249.0`.",
  );
  expect(code).toBe(1);
});

test.each([
  ["22.12.0", "ok"],
  ["24.1.0", "ok"],
  ["23.5.0", "warning"],
  ["22.11.0", "problem"],
  ["20.19.0", "problem"],
])("reports Node.js %s with the level %s", (version, level) => {
  expect(nodeFinding(version)).toMatchObject({ level, text: expect.stringContaining(version) });
});

import { join } from "node:path";
import { type CommandProcess, exitCodeOf } from "../../cli/command-process";
import { type ConnectionFlags, connect } from "../../cli/connection";
import { systemClock } from "../../provider/clock";
import { canaries } from "../e2e/canaries";
import type { Stack } from "../e2e/stack";
import { World } from "../e2e/world";
import { temporaryFolder } from "../tools/temporary-folder";

const environment = {
  AGENTSERVER_BASE_URL: "https://environment.example.com",
  AGENTSERVER_API_KEY: "environment-key",
  AGENTSERVER_TENANT_ID: "environment-tenant",
  AGENTSERVER_DIALECT: "langsmith",
};

function surroundings(env: NodeJS.ProcessEnv, cwd = process.cwd()) {
  const shown: string[] = [];
  const output = { isTTY: false, write: async (text: string) => void shown.push(text) };
  const place: CommandProcess = {
    cwd,
    env,
    clock: systemClock,
    random: Math.random,
    stdout: output,
    stderr: output,
    signal: new AbortController().signal,
  };
  return { place, shown };
}

async function connectionOf(flags: ConnectionFlags, env: NodeJS.ProcessEnv, cwd?: string) {
  return (await connect(surroundings(env, cwd).place, flags)).session.connection;
}

/** Returns the error message of a command that cannot connect. */
async function complaint(flags: ConnectionFlags, env: NodeJS.ProcessEnv, cwd?: string): Promise<string> {
  const { place, shown } = surroundings(env, cwd);
  expect(await exitCodeOf(async (process) => void (await connect(process, flags)), place)).toBe(1);
  expect(shown).toHaveLength(1);
  expect(shown[0]!.split("\n")).toHaveLength(2);
  return shown[0]!;
}

describe("without a stack", () => {
  test("reads each setting from its flag or the environment", async () => {
    expect(await connectionOf({}, environment)).toMatchObject({
      baseUrl: "https://environment.example.com/api-host",
      credential: { apiKey: "environment-key" },
      tenantId: "environment-tenant",
      dialect: "langsmith",
    });
    expect(await connectionOf({ tenantId: "flag-tenant" }, environment)).toMatchObject({
      baseUrl: "https://environment.example.com/api-host",
      tenantId: "flag-tenant",
    });
    expect(await connectionOf({ region: "eu", dialect: "interface" }, environment)).toMatchObject({
      baseUrl: "https://eu.api.host.langchain.com",
      tenantId: "environment-tenant",
      dialect: "interface",
    });
    expect(await connectionOf({ baseUrl: "https://flag.example.com" }, environment)).toMatchObject({
      baseUrl: "https://flag.example.com/api-host",
    });
  });

  test("reports a missing setting on one line, with the ways to specify it", async () => {
    expect(await complaint({}, {})).toMatch(
      /^agentserver: No control plane is configured: .*AGENTSERVER_BASE_URL.*--stack\.\n$/,
    );
    expect(await complaint({ baseUrl: "https://flag.example.com" }, {})).toMatch(
      /^agentserver: No API key .*AGENTSERVER_API_KEY.*\n$/,
    );
  });
});

describe("with the stack of a Pulumi project", () => {
  let world: World;
  let stack: Stack;
  let folder: string;
  let engine: NodeJS.ProcessEnv;

  beforeAll(async () => {
    world = await World.start({ package: "none" });
    stack = await world.stack("settings");
    folder = join(world.folder, "settings");
    await stack.config("agentserver:baseUrl", "https://stack.example.com");
    await stack.config("agentserver:apiKey", canaries.apiKey, "--secret");
    await stack.config("agentserver:tenantId", "stack-tenant");
    await stack.config("modelKey", canaries.modelKey, "--secret");
    await stack.config("plain", "not-a-secret");
    const others = Object.entries(world.environment).filter(([name]) => !name.startsWith("AGENTSERVER_"));
    engine = Object.fromEntries(others);
  });
  afterAll(() => world.end());

  test("prefers stack settings to environment variables, and prefers flags to both", async () => {
    const env = { ...engine, ...environment };
    expect(await connectionOf({ stack: "settings" }, env, folder)).toMatchObject({
      baseUrl: "https://stack.example.com/api-host",
      credential: { apiKey: canaries.apiKey },
      tenantId: "stack-tenant",
      dialect: "langsmith",
    });
    expect(await connectionOf({ stack: "settings", tenantId: "flag-tenant" }, env, folder)).toMatchObject({
      credential: { apiKey: canaries.apiKey },
      tenantId: "flag-tenant",
    });
  });

  test("uses --region instead of the base URL in the stack's settings", async () => {
    expect(await connectionOf({ stack: "settings", region: "us" }, engine, folder)).toMatchObject({
      baseUrl: "https://api.host.langchain.com",
      tenantId: "stack-tenant",
    });
  });

  test("redacts all of the stack's secrets", async () => {
    const { redact } = await connect(surroundings(engine, folder).place, { stack: "settings" });

    const text = redact(`${canaries.apiKey} ${canaries.modelKey} not-a-secret`);

    expect(text).toBe("[secret] [secret] not-a-secret");
  });

  test("reports a failure of pulumi on one line", async () => {
    const locked = { ...engine, PULUMI_CONFIG_PASSPHRASE: "wrong" };
    expect(await complaint({ stack: "missing" }, engine, folder)).toContain("no stack named 'missing' found");
    expect(await complaint({ stack: "settings" }, engine, temporaryFolder())).toContain("no Pulumi.yaml");
    expect(await complaint({ stack: "settings" }, locked, folder)).toContain("passphrase");
    expect(await complaint({ stack: "settings" }, { PATH: temporaryFolder() }, folder)).toContain(
      "pulumi is not on the PATH",
    );
  });
});

test("reports malformed output from pulumi without repeating it", async () => {
  const bin = temporaryFolder({ pulumi: '#!/bin/sh\necho \'{"agentserver:apiKey": "very-secret"\'\n' });

  const shown = await complaint({ stack: "dev" }, { PATH: `${bin}:${process.env["PATH"]}` });

  expect(shown).toContain("did not print a valid configuration");
  expect(shown).not.toContain("very-secret");
});

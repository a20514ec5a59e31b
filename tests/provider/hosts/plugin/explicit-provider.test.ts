import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { explicitProviderKey } from "../../../../provider/control-plane/connection";
import { type Setting, settings } from "../../../../provider/control-plane/setting-names";
import { deploymentKind } from "../../../../provider/deployment/kind";
import { Session } from "../../../../provider/session/session";
import { SessionPool } from "../../../../provider/session/session-pool";
import { agent, World } from "../../world";
import { connect, send, struct } from "./client";

const urn = "urn:pulumi:dev::shop::agentserver:index:Deployment::agent";

/** Returns the failures of a check with an explicit provider that has this name and these settings. */
async function reasonsWith(
  name: string,
  args: object,
  env: NodeJS.ProcessEnv = {},
  news: object = agent(),
): Promise<string[]> {
  const world = await World.start();
  const client = await connect({
    kindOf: () => deploymentKind(),
    sessions: new SessionPool({ env, clock: world.time, random: () => 0.5 }),
    log: world.log,
    schema: () => "{}",
  });
  const all = { baseUrl: world.address, tenantId: "tenant", ...args };
  await send(client, "configure", new messages.ConfigureRequest().setName(name).setArgs(struct(all)));
  const request = new messages.CheckRequest().setUrn(urn).setOlds(struct({})).setNews(struct(news));
  return (await send(client, "check", request)).getFailuresList().map((one) => one.getReason());
}

/** An invalid value for each setting. */
const invalid: Record<Setting, object> = {
  baseUrl: { baseUrl: "host.example.com" },
  region: { baseUrl: "", region: "mars" },
  apiKey: { apiKey: "two words" },
  accessToken: { apiKey: "", accessToken: "two words" },
  tenantId: { tenantId: "two words" },
  dialect: { dialect: "english" },
  caFile: { caFile: "/missing/ca.pem" },
  allowMove: { allowMove: "maybe" },
  offline: { offline: "maybe" },
  maxRequestsPerSecond: { maxRequestsPerSecond: "0" },
};

describe("a message about a setting", () => {
  test.each(settings)("names the argument of an explicit provider: %s", async (setting) => {
    const reasons = await reasonsWith("eu", { apiKey: "key", ...invalid[setting] });
    expect(reasons).toEqual([expect.stringContaining(`\`${setting}\` of the explicit provider "eu"`)]);
    expect(reasons.join()).not.toMatch(/agentserver:|pulumi config/);
  });

  test.each(settings)("names the configuration key of a default provider: %s", async (setting) => {
    const reasons = await reasonsWith("default", { apiKey: "key", ...invalid[setting] });
    expect(reasons).toEqual([expect.stringContaining(`agentserver:${setting}`)]);
  });

  test.each([
    [{}, 'No API key for the control plane: set `apiKey` of the explicit provider "eu", or set '],
    [
      { tenantId: "", apiKey: "key" },
      'No workspace (tenant) ID for the control plane: set `tenantId` of the explicit provider "eu", or set ',
    ],
    [
      { baseUrl: "" },
      'No control plane is configured: set `region` of the explicit provider "eu" (us or eu) or `baseUrl` of the explicit provider "eu", or set ',
    ],
    [
      { apiKey: "key", accessToken: "token" },
      '`apiKey` of the explicit provider "eu" and `accessToken` of the explicit provider "eu" are both set;',
    ],
    [
      { region: "eu" },
      '`baseUrl` of the explicit provider "eu" and `region` of the explicit provider "eu" are both set;',
    ],
  ])("names missing and conflicting arguments of an explicit provider: %j", async (args, text) => {
    const reasons = await reasonsWith("eu", args);
    expect(reasons).toEqual([expect.stringContaining(text)]);
    expect(reasons.join()).not.toMatch(/agentserver:|pulumi config/);
  });

  test.each(["default", "default_1_2_3"])(
    "suggests stack configuration for a default provider: %s",
    async (name) => {
      expect(await reasonsWith(name, {})).toEqual([
        expect.stringContaining("run `pulumi config set --secret agentserver:apiKey`, which prompts for it"),
      ]);
    },
  );

  const connection = { baseUrl: "https://c.example.com", tenantId: "t", apiKeyFrom: "EU_KEY" };

  test("suggests where to set another server's key if an explicit provider is used", async () => {
    expect(await reasonsWith("eu", { apiKey: "key" }, {}, { ...agent(), connection })).toEqual([
      expect.stringContaining(
        'connection.apiKeyFrom is EU_KEY, but neither a setting of the explicit provider "eu" nor an environment variable',
      ),
    ]);
  });

  test.each(["eu", "default"])(
    "names the key of a resource's own connection in the provider %s",
    async (name) => {
      const env = { EU_KEY: "two words" };
      expect(await reasonsWith(name, { apiKey: "key" }, env, { ...agent(), connection })).toEqual([
        expect.stringContaining("header; check the key that connection.apiKeyFrom (EU_KEY) specifies."),
      ]);
    },
  );
});

describe("a message about the state of a resource", () => {
  const current: Record<string, string> = { baseUrl: "https://new.example.com", apiKey: "key" };
  const session = (config: Record<string, string>) =>
    new Session({
      config: (key) => ({ ...current, ...config })[key],
      env: {},
      clock: { now: () => 0, sleep: () => Promise.resolve() },
      random: () => 0.5,
    });
  const known = { baseUrl: "https://old.example.com/api-host", tenantId: "" };
  const explicit = { [explicitProviderKey]: "eu", dialect: "langsmith" };

  test("names the argument that accepts another control plane", () => {
    const move = (config: Record<string, string>) => () =>
      session({ tenantId: "tenant", ...config }).refuseMove(known);
    expect(move(explicit)).toThrow('or set `allowMove` of the explicit provider "eu" to true if');
    expect(move({})).toThrow("or run `pulumi config set agentserver:allowMove true` if");
  });

  test("names the argument for the workspace of a deployment that was not found", async () => {
    await expect(session(explicit).confirmWorkspace("agent-id", known)).rejects.toThrow(
      'set `tenantId` of the explicit provider "eu" (AGENTSERVER_TENANT_ID) to',
    );
  });
});

test("takes the names of settings in messages only from setting-names.ts", () => {
  const list = readFileSync(join(__dirname, "..", "..", "..", "messages", "messages.snap.txt"), "utf8");
  const sections = list.split("\n\n").map((section) => section.split("\n"));
  const lines = sections.flatMap(([file = "", ...texts]) =>
    file.startsWith("provider/") && file !== "provider/control-plane/setting-names.ts" ? texts : [],
  );
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter((text) => /agentserver:[a-z{]/.test(text))).toEqual([]);
});

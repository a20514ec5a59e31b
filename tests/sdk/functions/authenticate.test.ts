import * as pulumi from "@pulumi/pulumi";
import { authenticate, authenticateOutput } from "../../../sdk";
import type { Clock } from "../../../provider/clock";
import { lookUpsWith } from "../../../provider/lookup/lookup";
import { World } from "../../provider/world";
import { valueOf, withoutEngine } from "../program";

const wish = { provider: "github", scopes: ["repo"], userId: "ada" };
let world: World;
let warned: string[];

beforeEach(async () => {
  await withoutEngine();
  world = await World.start({ dialect: "langsmith" });
  pulumi.runtime.setAllConfig({
    "agentserver:baseUrl": world.plane.baseUrl,
    "agentserver:apiKey": world.plane.apiKey,
    "agentserver:tenantId": world.plane.tenantId,
  });
  warned = [];
  jest.spyOn(pulumi.log, "warn").mockImplementation((text) => {
    warned.push(text);
    return Promise.resolve();
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await pulumi.runtime.setMocks(
    { newResource: () => ({ id: "", state: {} }), call: () => ({}) },
    "shop",
    "dev",
    false,
  );
});

const addressIn = (text: string) => /https?:\/\/[^\s;]+/.exec(text)![0];

/** The token, once somebody has gone where the warning says. */
async function afterConsent(asked: Promise<unknown>): Promise<void> {
  while (warned.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect((await fetch(addressIn(warned[0]!))).ok).toBe(true);
  await asked;
}

test("a user who has to consent is asked for it in a warning, and waited for", async () => {
  const asked = authenticate(wish);
  await afterConsent(asked);
  expect(warned).toEqual([
    expect.stringMatching(
      /^The consent of ada is needed for the provider "github": visit http\S+; this waits up to 10m for it\.$/,
    ),
  ]);
  const { token } = await asked;
  expect(await pulumi.isSecret(token)).toBe(true);
  expect(await valueOf(token)).toMatch(/^token-/);
  expect(warned.join()).not.toContain(await valueOf(token));
});

test("a consent that was given once is not asked for again", async () => {
  const first = authenticate(wish);
  await afterConsent(first);
  warned = [];
  const again = await authenticate(wish);
  expect(await valueOf(again.token)).toBe(await valueOf((await first).token));
  expect(warned).toEqual([]);
});

test("a preview names the address, does not wait, and leaves the token unknown", async () => {
  await pulumi.runtime.setMocks(
    { newResource: () => ({ id: "", state: {} }), call: () => ({}) },
    "shop",
    "dev",
    true,
  );
  const { token } = await authenticate(wish);
  expect(warned).toEqual([expect.stringMatching(/`pulumi up` waits for that\.$/)]);
  expect(await (token as unknown as { isKnown: Promise<boolean> }).isKnown).toBe(false);
  expect(await pulumi.isSecret(token)).toBe(true);
});

test("nobody waits where the program says so, and the error names the address", async () => {
  const asked = authenticate({ ...wish, timeout: "0s" });
  await expect(asked).rejects.toThrow('the consent of ada for the provider "github" is missing. Visit http');
  await expect(asked).rejects.toThrow(addressIn(warned[0]!));
});

test("arguments that are known only later give a secret token", async () => {
  const first = authenticate(wish);
  await afterConsent(first);
  const token = authenticateOutput({ ...wish, userId: pulumi.output("ada") });
  expect(await pulumi.isSecret(token)).toBe(true);
  expect(await valueOf(token)).toBe(await valueOf((await first).token));
});

test.each([
  [{ ...wish, provider: " " }, "provider must not be empty"],
  [{ ...wish, timeout: "soon" }, 'timeout must be a duration such as "30m"'],
])("%j is refused", async (args, text) => {
  await expect(authenticate(args)).rejects.toThrow(text);
});

const lookUps = (clock: Clock = world.time) =>
  lookUpsWith({
    config: () => undefined,
    keys: () => undefined,
    env: {
      AGENTSERVER_BASE_URL: world.plane.baseUrl,
      AGENTSERVER_API_KEY: world.plane.apiKey,
      AGENTSERVER_TENANT_ID: world.plane.tenantId,
    },
    clock,
  });

/** A clock on which pauses pass at once. */
const quick = (): Clock => ({ now: () => world.clock.now(), sleep: world.clock.advancingSleep });

/** What the server answers from now on. */
const answers = (path: string, body: object, times = 999) =>
  world.admin.fault({ kind: "status", status: 200, body, path, times });

test("the wait ends with where to go", async () => {
  let url = "";
  const waited = lookUps().authenticate(wish, { waitMs: 90_000, onPending: (address) => (url = address) });
  const failed = expect(waited).rejects.toThrow(
    /^Nobody has given the provider "github" their consent within 1m30s\. Visit http\S+ and run this again/,
  );
  for (let second = 0; second < 200; second += 1) {
    await world.clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await failed;
  await expect(waited).rejects.toThrow(url);
});

test("a consent that has run out is asked for at the new address, which the last word names", async () => {
  answers("/v2/auth/authenticate", { status: "pending", url: "https://login.example/1", auth_id: "one" }, 1);
  answers("/v2/auth/authenticate", { status: "pending", url: "https://login.example/2", auth_id: "two" });
  answers("/v2/auth/wait/one", { status: "not_found" });
  answers("/v2/auth/wait/two", { status: "pending" });
  const said: string[] = [];
  const asked = lookUps(quick()).authenticate(wish, { waitMs: 300_000, onPending: (url) => said.push(url) });
  await expect(asked).rejects.toThrow("Visit https://login.example/2 and run this again");
  expect(said).toEqual(["https://login.example/1", "https://login.example/2"]);
});

test("a server with a new address for each question does not send the user to all of them", async () => {
  for (let at = 0; at < 200; at += 1)
    answers("/v2/auth/authenticate", { status: "pending", url: `https://login.example/${at}` }, 1);
  const said: string[] = [];
  const asked = lookUps(quick()).authenticate(wish, { waitMs: 300_000, onPending: (url) => said.push(url) });
  await expect(asked).rejects.toThrow(/^Nobody has given/);
  expect(said.length).toBeLessThanOrEqual(6);
});

test("a consent that is told without its token is asked for", async () => {
  answers("/v2/auth/authenticate", { status: "pending", url: "https://login.example/1", auth_id: "one" }, 1);
  answers("/v2/auth/authenticate", { status: "completed", token: "token-of-ada" });
  answers("/v2/auth/wait/one", { status: "completed" });
  const asked = lookUps(quick()).authenticate(wish, { waitMs: 60_000, onPending: () => {} });
  expect(await asked).toBe("token-of-ada");
});

test("an answer that cannot be read does not show the token that is in it", async () => {
  answers("/v2/auth/authenticate", { status: 7, token: "token-of-ada" });
  const asked = lookUps(quick()).authenticate(wish, { waitMs: 0, onPending: () => {} });
  await expect(asked).rejects.toThrow("status");
  await expect(asked).rejects.not.toThrow("token-of-ada");
});

test("a server that cannot be waited at is asked again", async () => {
  world.admin.fault({
    kind: "status",
    status: 404,
    body: { detail: "Not Found" },
    path: "/v2/auth/wait/*",
    times: 99,
  });
  const said: string[] = [];
  const asked = lookUps().authenticate(wish, { waitMs: 600_000, onPending: (url) => said.push(url) });
  while (said.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await fetch(said[0]!);
  expect(await asked).toMatch(/^token-/);
  expect(said).toHaveLength(1);
});

test.each([
  [{ status: "pending", url: "javascript:alert(1)", auth_id: "x" }, "neither a token nor an address"],
  [{ status: "connection_required" }, "needs the consent of a user, and none is named"],
  [{ status: "completed" }, "neither a token nor an address"],
])("the answer %j is an error that says what is missing", async (body, text) => {
  world.admin.fault({ kind: "status", status: 200, body, path: "/v2/auth/authenticate" });
  await expect(lookUps().authenticate(wish, { waitMs: 0, onPending: () => {} })).rejects.toThrow(text);
});

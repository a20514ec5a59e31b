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

/** Visits the URL in the warning, as the user would, and waits until the token has been returned. */
async function afterConsent(asked: Promise<unknown>): Promise<void> {
  while (warned.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect((await fetch(addressIn(warned[0]!))).ok).toBe(true);
  await asked;
}

test("requests the user's consent in a warning, and waits for it", async () => {
  const asked = authenticate(wish);
  await afterConsent(asked);
  expect(warned).toEqual([
    expect.stringMatching(
      /^The provider "github" requires the consent of ada: visit http\S+; waiting up to 10m\.$/,
    ),
  ]);
  const { token } = await asked;
  expect(await pulumi.isSecret(token)).toBe(true);
  expect(await valueOf(token)).toMatch(/^token-/);
  expect(warned.join()).not.toContain(await valueOf(token));
});

test("does not request consent again after the user has consented", async () => {
  const first = authenticate(wish);
  await afterConsent(first);
  warned = [];
  const again = await authenticate(wish);
  expect(await valueOf(again.token)).toBe(await valueOf((await first).token));
  expect(warned).toEqual([]);
});

test("reports the URL in a preview, and leaves the token unknown without waiting", async () => {
  await pulumi.runtime.setMocks(
    { newResource: () => ({ id: "", state: {} }), call: () => ({}) },
    "shop",
    "dev",
    true,
  );
  const { token } = await authenticate(wish);
  expect(warned).toEqual([expect.stringMatching(/`pulumi up` waits for consent\.$/)]);
  expect(await (token as unknown as { isKnown: Promise<boolean> }).isKnown).toBe(false);
  expect(await pulumi.isSecret(token)).toBe(true);
});

test("fails with the URL instead of waiting if the timeout is zero", async () => {
  const asked = authenticate({ ...wish, timeout: "0s" });
  await expect(asked).rejects.toThrow('the provider "github" requires the consent of ada. Visit http');
  await expect(asked).rejects.toThrow(addressIn(warned[0]!));
});

test("returns a secret token from the output version", async () => {
  const first = authenticate(wish);
  await afterConsent(first);
  const token = authenticateOutput({ ...wish, userId: pulumi.output("ada") });
  expect(await pulumi.isSecret(token)).toBe(true);
  expect(await valueOf(token)).toBe(await valueOf((await first).token));
});

test.each([
  [{ ...wish, provider: " " }, "provider must not be empty"],
  [{ ...wish, timeout: "soon" }, 'timeout must be "0s", which does not wait, or a positive duration'],
])("rejects %j", async (args, text) => {
  await expect(authenticate(args)).rejects.toThrow(text);
});

const lookups = (clock: Clock = world.time) =>
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

/** Returns a clock whose pauses end immediately. */
const quick = (): Clock => ({ now: () => world.clock.now(), sleep: world.clock.advancingSleep });

/** Replaces the responses of the server from now on. */
const answers = (path: string, body: object, times = 999) =>
  world.admin.fault({ kind: "status", status: 200, body, path, times });

test("fails with the URL when the wait times out", async () => {
  let url = "";
  const waited = lookups().authenticate(wish, { waitMs: 90_000, onPending: (address) => (url = address) });
  const failed = expect(waited).rejects.toThrow(
    /^No one gave consent for the provider "github" within 1m30s\. Visit http\S+ and run the command again/,
  );
  for (let second = 0; second < 200; second += 1) {
    await world.clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await failed;
  await expect(waited).rejects.toThrow(url);
});

test("requests consent at a new URL if the first one expires, and reports the new one", async () => {
  answers("/v2/auth/authenticate", { status: "pending", url: "https://login.example/1", auth_id: "one" }, 1);
  answers("/v2/auth/authenticate", { status: "pending", url: "https://login.example/2", auth_id: "two" });
  answers("/v2/auth/wait/one", { status: "not_found" });
  answers("/v2/auth/wait/two", { status: "pending" });
  const urls: string[] = [];
  const asked = lookups(quick()).authenticate(wish, { waitMs: 300_000, onPending: (url) => urls.push(url) });
  await expect(asked).rejects.toThrow("Visit https://login.example/2 and run the command again");
  expect(urls).toEqual(["https://login.example/1", "https://login.example/2"]);
});

test("reports at most six URLs if the server returns a new one for each request", async () => {
  for (let at = 0; at < 200; at += 1)
    answers("/v2/auth/authenticate", { status: "pending", url: `https://login.example/${at}` }, 1);
  const urls: string[] = [];
  const asked = lookups(quick()).authenticate(wish, { waitMs: 300_000, onPending: (url) => urls.push(url) });
  await expect(asked).rejects.toThrow(/^No one gave consent for the provider "github"/);
  expect(urls.length).toBeLessThanOrEqual(6);
});

test("requests the token if the server reports consent without returning a token", async () => {
  answers("/v2/auth/authenticate", { status: "pending", url: "https://login.example/1", auth_id: "one" }, 1);
  answers("/v2/auth/authenticate", { status: "completed", token: "token-of-ada" });
  answers("/v2/auth/wait/one", { status: "completed" });
  const asked = lookups(quick()).authenticate(wish, { waitMs: 60_000, onPending: () => {} });
  expect(await asked).toBe("token-of-ada");
});

test("does not reveal the token in an error about an unreadable response", async () => {
  answers("/v2/auth/authenticate", { status: 7, token: "token-of-ada" });
  const asked = lookups(quick()).authenticate(wish, { waitMs: 0, onPending: () => {} });
  await expect(asked).rejects.toThrow("status");
  await expect(asked).rejects.not.toThrow("token-of-ada");
});

test("polls a server that does not support waiting", async () => {
  world.admin.fault({
    kind: "status",
    status: 404,
    body: { detail: "Not Found" },
    path: "/v2/auth/wait/*",
    times: 99,
  });
  const urls: string[] = [];
  const asked = lookups().authenticate(wish, { waitMs: 600_000, onPending: (url) => urls.push(url) });
  while (urls.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await fetch(urls[0]!);
  expect(await asked).toMatch(/^token-/);
  expect(urls).toHaveLength(1);
});

test.each([
  [{ status: "pending", url: "javascript:alert(1)", auth_id: "x" }, "neither a token nor a URL"],
  [{ status: "connection_required" }, "requires the consent of a user, but no user is specified"],
  [{ status: "completed" }, "neither a token nor a URL"],
])("reports the missing field of the response %j", async (body, text) => {
  world.admin.fault({ kind: "status", status: 200, body, path: "/v2/auth/authenticate" });
  await expect(lookups().authenticate(wish, { waitMs: 0, onPending: () => {} })).rejects.toThrow(text);
});

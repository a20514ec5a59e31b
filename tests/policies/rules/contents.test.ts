import { allowedAgentServers } from "../../../policies/rules/allowed-agent-servers";
import { cronInterval } from "../../../policies/rules/cron-interval";
import { noPlainSecrets } from "../../../policies/rules/no-plain-secrets";
import { threadsKept } from "../../../policies/rules/threads-kept";
import { webhooks } from "../../../policies/rules/webhooks";
import { contentKinds } from "../../../policies/resource/kinds";
import { compliantOf, saidOf, unknown } from "../judging";

const key = `sk-ant-${"a1B2".repeat(8)}`;

test.each(contentKinds)("finds a credential at any depth of a %s and does not repeat it", (kind) => {
  const [said, ...others] = saidOf(kind, noPlainSecrets, {
    ...compliantOf(kind),
    metadata: { deep: [{ note: key }] },
  });
  expect(others).toEqual([]);
  expect(said).toContain(`${kind} "agent": metadata.deep[0].note contains an Anthropic key. Remove it`);
  expect(said).not.toContain(key);
});

test.each([
  [
    "Assistant",
    { context: { openai_api_key: "abc" } },
    "context.openai_api_key contains a credential, judging by its name",
  ],
  [
    "Run",
    { config: { configurable: { accessToken: "abc" } } },
    "config.configurable.accessToken contains a credential",
  ],
  ["Cron", { config: { configurable: { keys: { apiKey: ["abc"] } } } }, "apiKey[0] contains a credential"],
  [
    "Run",
    { context: { headers: { Authorization: "Bearer abc" } } },
    "context.headers.Authorization contains a credential",
  ],
  [
    "Run",
    { context: { headers: [{ name: "Cookie", value: "abc" }] } },
    "context.headers[0].value contains a credential",
  ],
  [
    "Thread",
    { metadata: { headers: { "X-Api-Key": "abc" } } },
    "metadata.headers.X-Api-Key contains a credential",
  ],
  [
    "Assistant",
    { context: { note: "q8Zr2LmX0vTn5KdYw7Jb3HsPcF9GuE1A" } },
    "context.note contains text that looks like",
  ],
  [
    "Assistant",
    { context: { server: { args: ["--api-key=abc"] } } },
    "context.server.args[0] has a flag or variable that, judging by its name, contains a credential. Remove it",
  ],
  ["Cron", { webhook: "https://hooks.example.com/a?token=abc" }, "webhook has a credential in its query"],
  ["Cron", { webhook: "/done?api_key=abc" }, "webhook has a credential in its query"],
  [
    "Cron",
    { webhook: "https://hooks.example.com/q8Zr2LmX0vTn5KdYw7Jb3HsPcF9GuE1A" },
    "webhook contains text that looks",
  ],
  ["StoreItems", { items: { [key]: { note: key } } }, "items contains an Anthropic key"],
] as const)("finds the credential in a %s with %j", (kind, inputs, problem) => {
  const [said, ...others] = saidOf(kind, noPlainSecrets, { ...compliantOf(kind), ...inputs });
  expect(others).toEqual([]);
  expect(said).toContain(problem);
  expect(said).not.toMatch(/abc|q8Zr2|sk-ant/);
});

test.each([
  [
    "Assistant",
    { context: { max_tokens: "100", api_key_env: "MODEL_API_KEY", key: "title", apiKeyFrom: "x" } },
  ],
  ["Run", { config: { configurable: { token: "${TOKEN}" } }, input: { token: "ok", context: { key: "a" } } }],
  ["Run", { context: { headers: { Authorization: "Bearer $(TOKEN)" } } }],
  ["Cron", { webhook: "https://hooks.example.com/a?run=1" }],
  ["StoreItem", { value: { password: "How to reset a password?", url: "https://example.com/?token=abc" } }],
] as const)("accepts a %s with %j", (kind, inputs) => {
  expect(saidOf(kind, noPlainSecrets, { ...compliantOf(kind), ...inputs })).toEqual([]);
});

test("accepts random-looking data, and the unknown ID of a new deployment", () => {
  const item = { ...compliantOf("StoreItem"), value: { text: "q8Zr2LmX0vTn5KdYw7Jb3HsPcF9GuE1A" } };
  expect(saidOf("StoreItem", noPlainSecrets, item)).toEqual([]);
  expect(saidOf("Cron", noPlainSecrets, { deployment: { id: unknown, url: unknown } })).toEqual([]);
});

test.each([
  [
    "* * * * *",
    {},
    "fires every minute; the minimum interval is 5 minutes. Use a schedule with longer intervals.",
  ],
  ["0,3 9 * * *", {}, "fires every 3 minutes; the minimum interval is 5 minutes."],
  ["*/30 * * * *", { minutes: 60 }, "fires every 30 minutes; the minimum interval is 60 minutes."],
  ["* * * * * */10", {}, "fires every 10 seconds; the minimum interval is 5 minutes."],
  ["0 * * * * 30", {}, undefined],
  ["@hourly", { minutes: 90 }, "fires every 60 minutes; the minimum interval is 90 minutes."],
  ["58 23 * * *", { minutes: 1440 }, undefined],
  ["*/5 * * * *", {}, undefined],
  ["not a schedule", {}, undefined],
])("checks the schedule %s with the settings %j: %s", (schedule, settings, problem) => {
  const said = saidOf("Cron", cronInterval, { ...compliantOf("Cron"), schedule }, { settings });
  expect(said).toEqual(problem === undefined ? [] : [expect.stringContaining(`schedule ${problem}`)]);
});

test("accepts any schedule of a disabled cron", () => {
  const cron = { ...compliantOf("Cron"), schedule: "* * * * *", enabled: false };
  expect(saidOf("Cron", cronInterval, cron)).toEqual([]);
});

test.each([
  ["http://hooks.example.com/a", {}, "is not a URL that starts with https://"],
  ["https://elsewhere.example.com/a", { hosts: ["hooks.example.com"] }, "is not an allowed host"],
  ["https://hooks.example.com/a", { hosts: ["hooks.*.com"] }, undefined],
  ["/webhooks/done", { hosts: ["hooks.example.com"] }, undefined],
  ["/.//evil.example", {}, "is not a URL that starts with https://"],
  ["/a/../..//evil.example", {}, "is not a URL that starts with https://"],
  ["//evil.example.com/a", { hosts: ["hooks.example.com"] }, "is not a URL that starts with https://"],
  ["//evil.example.com/a", {}, "is not a URL that starts with https://"],
  ["/\\evil.example.com/a", {}, "is not a URL that starts with https://"],
  ["/\t/evil.example.com/a", {}, "is not a URL that starts with https://"],
  ["\\\\\\evil.example.com/a", {}, "is not a URL that starts with https://"],
  ["///evil.example.com", {}, "is not a URL that starts with https://"],
])("checks the webhook %s with the settings %j: %s", (webhook, settings, problem) => {
  const said = saidOf("Cron", webhooks, { ...compliantOf("Cron"), webhook }, { settings });
  expect(said).toEqual(problem === undefined ? [] : [expect.stringContaining(`webhook ${problem}`)]);
});

test.each([
  ["http://agents.example.com", {}, "is not a URL that starts with https://"],
  ["nonsense", {}, "is not a URL that starts with https://"],
  ["http://localhost:2024", {}, undefined],
  ["https://elsewhere.example.com", { hosts: ["*.example.org"] }, "is not an allowed host"],
  ["https://agents.example.com", { hosts: ["*.example.com"] }, undefined],
])("checks the agent server %s with the settings %j: %s", (url, settings, problem) => {
  for (const kind of contentKinds) {
    const said = saidOf(kind, allowedAgentServers, { connection: { url } }, { settings });
    expect(said).toEqual(problem === undefined ? [] : [expect.stringContaining(`connection.url ${problem}`)]);
  }
});

test("rejects forceDelete, which deletes conversations, on threads in production", () => {
  const thread = { ...compliantOf("Thread"), forceDelete: true };
  expect(saidOf("Thread", threadsKept, thread)).toEqual([expect.stringContaining("forceDelete is true.")]);
  expect(saidOf("Thread", threadsKept, thread, { stack: "dev" })).toEqual([
    expect.stringContaining("not applicable"),
  ]);
});

import { connectionLines, consoleLine } from "../../../cli/emulate/connection-lines";

const plane = { baseUrl: "http://127.0.0.1:8123", tenantId: "tenant-1", apiKey: "the-key" };

test.each([
  ["in memory", { isTerminal: true }, "export AGENTSERVER_API_KEY=the-key"],
  [
    "in a file",
    { isTerminal: true, isConfigured: true, apiKeyFile: "/my keys/one" },
    `export AGENTSERVER_API_KEY="$(cat '/my keys/one')"`,
  ],
  [
    "in the environment",
    { isTerminal: true, isConfigured: true },
    "# AGENTSERVER_API_KEY is already set in your environment.",
  ],
])("prints commands that can be pasted into a terminal if the key is %s", (_case, key, expected) => {
  expect(connectionLines({ ...plane, isConfigured: false, ...key })).toEqual([
    "export AGENTSERVER_BASE_URL=http://127.0.0.1:8123",
    "export AGENTSERVER_TENANT_ID=tenant-1",
    expected,
  ]);
});

test.each([{}, { state: "/state" }, { isConfigured: true }, { isConfigured: true, apiKeyFile: "/key" }])(
  "omits the key if the output is not a terminal: %j",
  (key) => {
    const lines = connectionLines({ ...plane, isConfigured: false, isTerminal: false, ...key });
    expect(lines.join("\n")).not.toContain(plane.apiKey);
  },
);

test("shows a sign-in link only in a terminal", () => {
  const connection = { ...plane, isConfigured: true };
  const link = jest.fn(() => "http://127.0.0.1:8123/#/sign-in/code");
  expect(consoleLine({ ...connection, isTerminal: true }, link)).toBe(
    "Web console: http://127.0.0.1:8123/#/sign-in/code (the link works once, within ten minutes)",
  );
  link.mockClear();
  expect(consoleLine({ ...connection, isTerminal: false }, link)).toMatch(
    /^Web console: http:\/\/127\.0\.0\.1:8123\. .* signs you in: printf .* \| curl /,
  );
  expect(consoleLine({ ...connection, isConfigured: false, isTerminal: false }, link)).toBe(
    "Web console: http://127.0.0.1:8123",
  );
  expect(link).not.toHaveBeenCalled();
});

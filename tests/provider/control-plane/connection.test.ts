import { resolveConnection } from "../../../provider/control-plane/connection";

const env = {
  AGENTSERVER_BASE_URL: "https://env.example.com",
  AGENTSERVER_API_KEY: "env-key",
  AGENTSERVER_TENANT_ID: "env-tenant",
};

function resolve(config: Record<string, string>, environment: Record<string, string | undefined> = env) {
  return resolveConnection((key) => config[key], environment);
}

test("reads every setting from the environment", () => {
  expect(resolve({})).toEqual({
    baseUrl: "https://env.example.com/api-host",
    credential: { apiKey: "env-key" },
    tenantId: "env-tenant",
    allowMove: false,
    proxies: {},
    maxRequestsPerSecond: 10,
  });
});

test.each([
  ["http://localhost:8123", undefined, undefined],
  ["http://localhost:8123", "2", 2],
  ["https://config.example.com", undefined, 10],
  ["https://config.example.com", "0.5", 0.5],
])(
  "determines the request limit for %s with maxRequestsPerSecond %j: %j",
  (baseUrl, maxRequestsPerSecond, limit) => {
    const config = { baseUrl, ...(maxRequestsPerSecond && { maxRequestsPerSecond }) };

    expect(resolve(config).maxRequestsPerSecond).toBe(limit);
  },
);

test.each(["0", "-1", "ten", "1e3", "5000", "0.01"])("rejects maxRequestsPerSecond %j", (given) => {
  expect(() => resolve({ maxRequestsPerSecond: given })).toThrow(
    "agentserver:maxRequestsPerSecond (AGENTSERVER_MAX_REQUESTS_PER_SECOND) must be a number from 0.1 to 1000.",
  );
});

test.each([
  [{ baseUrl: "https://config.example.com" }, { baseUrl: "https://config.example.com/api-host" }],
  [{ region: "eu" }, { baseUrl: "https://eu.api.host.langchain.com" }],
  [{ region: "us" }, { baseUrl: "https://api.host.langchain.com" }],
  [{ apiKey: "config-key" }, { credential: { apiKey: "config-key" } }],
  [{ accessToken: "config-token" }, { credential: { accessToken: "config-token" } }],
  [{ tenantId: "config-tenant" }, { tenantId: "config-tenant" }],
  [{ allowMove: "true" }, { allowMove: true }],
])("prefers the Pulumi config %j to the environment, for this setting only", (config, expected) => {
  expect(resolve(config as Record<string, string>)).toEqual({ ...resolve({}), ...expected });
});

test("treats a blank setting as missing", () => {
  expect(resolve({ apiKey: "  " }).credential).toEqual({ apiKey: "env-key" });
  expect(resolve({ apiKey: " key\n" }).credential).toEqual({ apiKey: "key" });
});

test("accepts an access token instead of a key, but rejects both from the same source", () => {
  const withToken = { ...env, AGENTSERVER_API_KEY: undefined, AGENTSERVER_ACCESS_TOKEN: "env-token" };
  expect(resolve({}, withToken).credential).toEqual({ accessToken: "env-token" });
  expect(resolve({ apiKey: "config-key" }, withToken).credential).toEqual({ apiKey: "config-key" });
  expect(() => resolve({}, { ...withToken, AGENTSERVER_API_KEY: "key" })).toThrow(
    "AGENTSERVER_API_KEY and AGENTSERVER_ACCESS_TOKEN are both set; remove one of them.",
  );
  expect(() => resolve({ apiKey: "key", accessToken: "token" })).toThrow(
    "agentserver:apiKey and agentserver:accessToken are both set; remove one of them.",
  );
  const unfit = () => resolve({ accessToken: "canary token" });
  expect(unfit).toThrow("agentserver:accessToken (AGENTSERVER_ACCESS_TOKEN)");
  expect(unfit).not.toThrow("canary");
});

test("rejects baseUrl together with region", () => {
  expect(() => resolve({ baseUrl: "https://host.example.com", region: "us" })).toThrow(
    "agentserver:baseUrl and agentserver:region are both set; remove one of them.",
  );
});

test.each(["mars", "constructor", "toString"])("rejects the region %s", (region) => {
  expect(() => resolve({ region })).toThrow(`agentserver:region is "${region}"; it must be us or eu.`);
});

test.each([
  ["AGENTSERVER_API_KEY", "pulumi config set --secret agentserver:apiKey"],
  ["AGENTSERVER_TENANT_ID", "pulumi config set agentserver:tenantId"],
  ["AGENTSERVER_BASE_URL", "agentserver:region (us or eu) or agentserver:baseUrl"],
])("names both ways to set a missing %s", (variable, way) => {
  const refuse = () => resolve({}, { ...env, [variable]: undefined });
  expect(refuse).toThrow(way);
  expect(refuse).toThrow(variable);
});

test.each([
  [
    {},
    {},
    "export AGENTSERVER_BASE_URL=https://api.host.langchain.com AGENTSERVER_API_KEY='<API_KEY>' AGENTSERVER_TENANT_ID='<WORKSPACE_ID>'",
  ],
  [{ region: "eu" }, {}, "export AGENTSERVER_API_KEY='<API_KEY>' AGENTSERVER_TENANT_ID='<WORKSPACE_ID>'"],
  [{ dialect: "langsmith", region: "eu" }, {}, "export AGENTSERVER_API_KEY='<API_KEY>'"],
  [{ region: "eu" }, { AGENTSERVER_API_KEY: "key" }, "export AGENTSERVER_TENANT_ID='<WORKSPACE_ID>'"],
])(
  "lists all missing exports in the first error (config %j, environment %j)",
  (config, variables, command) => {
    expect(() => resolve(config, variables)).toThrow(`to your values: \`${command}\` (`);
  },
);

test.each(["canary key", "canary\nX-Other: 1", "canary\u00e9", "canary\u200b"])(
  "rejects a key that is invalid in a header (%j) without revealing it",
  (apiKey) => {
    const refuse = () => resolve({ apiKey });
    expect(refuse).toThrow("agentserver:apiKey (AGENTSERVER_API_KEY)");
    expect(refuse).not.toThrow("canary");
  },
);

test("requires allowMove to be true or false", () => {
  expect(resolve({ allowMove: "false" }).allowMove).toBe(false);
  expect(() => resolve({ allowMove: "yes" })).toThrow("agentserver:allowMove must be true or false.");
});

test("reads the `offline` setting from the configuration first, and then from the environment", () => {
  const offline = (setting: string | undefined, variable?: string) =>
    resolveConnection((key) => (key === "offline" ? setting : undefined), {
      ...env,
      AGENTSERVER_OFFLINE: variable,
    }).offline ?? false;
  expect([offline("true"), offline(undefined, "true"), offline("false", "true"), offline(undefined)]).toEqual(
    [true, true, false, false],
  );
  expect(() => offline("maybe")).toThrow("agentserver:offline (AGENTSERVER_OFFLINE) must be true or false.");
});

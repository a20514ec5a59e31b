import { connectionOf } from "../../../policies/pack/connection";

const config = (values: Record<string, string>) => (key: string) => values[key];

test.each([
  [{ region: "eu" }, {}, { region: "eu", host: "eu.api.host.langchain.com" }],
  [
    { baseUrl: "https://eu.api.host.langchain.com/" },
    {},
    { region: "eu", host: "eu.api.host.langchain.com" },
  ],
  [{}, { AGENTSERVER_BASE_URL: "http://127.0.0.1:4100/api-host" }, { host: "127.0.0.1:4100" }],
  [
    { baseUrl: "https://agents.example.com" },
    { AGENTSERVER_BASE_URL: "http://other" },
    { host: "agents.example.com" },
  ],
  [{ tenantId: "a" }, { AGENTSERVER_TENANT_ID: "b" }, { tenantId: "a" }],
  [{ tenantId: " " }, { AGENTSERVER_TENANT_ID: "b" }, { tenantId: "b" }],
  [{ baseUrl: "no address" }, {}, {}],
])("resolves %j with the environment %j to %j", (values, env, expected) => {
  expect(connectionOf(config(values as Record<string, string>), env as NodeJS.ProcessEnv)).toEqual(
    expect.objectContaining(expected),
  );
});

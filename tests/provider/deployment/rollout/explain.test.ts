import { logLinks } from "../../../../provider/deployment/rollout/explain";

const at = (baseUrl: string, tenantId = "tenant 1") => ({ baseUrl, tenantId, dialect: "langsmith" as const });
const operation = (controlPlane: ReturnType<typeof at>) =>
  ({ plane: { controlPlane }, resource: { identity } }) as never;
const identity = { urn: "urn:pulumi:prod::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent" };
const named = (name: string) => ({ deploymentId: "d1", inputs: { name } }) as never;

test.each([
  [at("https://api.host.langchain.com"), "https://smith.langchain.com/o/tenant%201/host/deployments/d1"],
  [at("https://eu.api.host.langchain.com", ""), "https://eu.smith.langchain.com/host/deployments/d1"],
  [at("https://agents.example/api-host"), "https://agents.example/o/tenant%201/host/deployments/d1"],
  [at("http://127.0.0.1:8123/api-host"), "http://127.0.0.1:8123/#/deployments/d1/r1"],
])("links to the deployment's page for %j", (controlPlane, page) => {
  expect(logLinks(operation(controlPlane), named("agent"), "r1", true)).toBe(
    `Page: ${page}. Full log: \`npx agentserver logs agent --revision r1 --build --stack prod\`.`,
  );
});

test("quotes IDs that the server assigned", () => {
  const shown = logLinks(
    operation(at("https://agents.example")),
    { deploymentId: "d'1$(x)", inputs: {} } as never,
    "r1; rm -rf /",
    false,
  );
  expect(shown).toContain("`npx agentserver logs 'd'\\''1$(x)' --revision 'r1; rm -rf /' --stack prod`");
});

test("prevents a command from treating an ID as an option", () => {
  const ids = { deploymentId: "--stack=x", inputs: {} } as never;
  const shown = logLinks(operation(at("https://agents.example")), ids, "-r1", true);
  expect(shown).toContain("`npx agentserver logs --revision -r1 --build --stack prod -- --stack=x`");
});

test("uses the ID if the name needs quoting", () => {
  const controlPlane = at("https://agents.example");
  const shown = logLinks(operation(controlPlane), named("my agent; rm"), "r1", false);
  expect(shown).toContain("`npx agentserver logs d1 --revision r1 --stack prod`");
});

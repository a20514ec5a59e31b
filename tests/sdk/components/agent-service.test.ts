import { AgentService, type AgentServiceArgs } from "../../../sdk";
import { registeredAs, valueOf, withoutEngine } from "../program";

const args: AgentServiceArgs = {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git" },
  sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },
  assistants: { brief: { graph: "agent", assistantId: "11111111-1111-4111-8111-111111111111" } },
  crons: {
    report: { assistant: "brief", schedule: "0 9 * * 1-5" },
    cleanup: { assistant: "other-graph", schedule: "0 3 * * *" },
  },
  memory: { handbook: { namespace: ["handbook"], items: { tone: { text: "Friendly." } } } },
};

beforeEach(() => withoutEngine());

test("a service is a deployment and what is in it, each below the component", async () => {
  const service = new AgentService("support", args, { protect: true });
  const members = [
    service.deployment,
    service.assistants["brief"]!,
    service.crons["report"]!,
    service.crons["cleanup"]!,
    service.memory["handbook"]!,
  ];
  const urns = await Promise.all(members.map(({ urn }) => valueOf(urn)));
  const below = "urn:pulumi:dev::shop::agentserver:index:AgentService$pulumi-nodejs:dynamic/agentserver";
  expect(urns).toEqual([
    `${below}:Deployment::support`,
    `${below}:Assistant::support-brief`,
    `${below}:Cron::support-report`,
    `${below}:Cron::support-cleanup`,
    `${below}:StoreItems::support-handbook`,
  ]);
  expect(registeredAs("support-report")!.protect).toBe(true);
  const deployment = { id: await valueOf(service.deployment.id), url: "https://agent.example.com" };
  expect(registeredAs("support-brief")!.inputs).toMatchObject({ deployment, graph: "agent" });
  expect(registeredAs("support-handbook")!.inputs).toMatchObject({ deployment, namespace: ["handbook"] });
  expect(await valueOf(service.url)).toBe("https://agent.example.com");
});

test("a cron runs an assistant of the service by its name, or any other as it is named", async () => {
  const service = new AgentService("support", args);
  await Promise.all(Object.values(service.crons).map(({ id }) => valueOf(id)));
  expect(registeredAs("support-report")!.inputs["assistant"]).toBe("11111111-1111-4111-8111-111111111111");
  expect(registeredAs("support-cleanup")!.inputs["assistant"]).toBe("other-graph");
});

test.each([
  ["verified where the program does not say how", undefined, { verify: {} }],
  ["as the program says", { verify: { graph: "agent" } }, { verify: { graph: "agent" } }],
  ["not verified where nobody waits", { wait: false }, { wait: false }],
])("a rollout is %s", async (_, rollout, expected) => {
  const service = new AgentService("support", { ...args, rollout });
  await valueOf(service.url);
  expect(registeredAs("support", ":Deployment")!.inputs["rollout"]).toEqual(expected);
});

test.each<[object, string]>([
  [{ crons: { report: { schedule: "0 9 * * *" } } }, "crons.report.assistant is missing"],
  [{ crons: [] }, "crons must be an object"],
  [{ assistants: { brief: "agent" } }, "assistants.brief must be an object"],
  [{ assistants: { "a b": { graph: "agent" } } }, 'assistants: the name "a b" must consist of'],
  [{ memory: { notes: { deployment: {} } } }, "memory.notes.deployment is the service's own; leave it out"],
])("arguments are refused by their field: %j", (change, message) => {
  const refused = () => new AgentService("support", { ...args, ...change });
  expect(refused).toThrow(`AgentService "support": ${message}`);
  expect(registeredAs("support")).toBeUndefined();
});

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

test("registers a deployment and its contents as children of the component", async () => {
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

test("resolves a cron's assistant if the service declares it, and forwards other names", async () => {
  const service = new AgentService("support", args);
  await Promise.all(Object.values(service.crons).map(({ id }) => valueOf(id)));
  expect(registeredAs("support-report")!.inputs["assistant"]).toBe("11111111-1111-4111-8111-111111111111");
  expect(registeredAs("support-cleanup")!.inputs["assistant"]).toBe("other-graph");
});

test.each([
  ["adds verification by default", undefined, { verify: {} }],
  [
    "keeps the verification that the program specifies",
    { verify: { graph: "agent" } },
    { verify: { graph: "agent" } },
  ],
  [
    "does not add verification if the program does not wait for the rollout",
    { wait: false },
    { wait: false },
  ],
])("%s", async (_, rollout, expected) => {
  const service = new AgentService("support", { ...args, rollout });
  await valueOf(service.url);
  expect(registeredAs("support", ":Deployment")!.inputs["rollout"]).toEqual(expected);
});

test.each<[object, string]>([
  [{ crons: { report: { schedule: "0 9 * * *" } } }, "crons.report.assistant is missing"],
  [{ crons: [] }, "crons must be an object"],
  [{ assistants: { brief: "agent" } }, "assistants.brief must be an object"],
  [{ assistants: { "a b": { graph: "agent" } } }, 'assistants: the name "a b" must consist of'],
  [{ memory: { notes: { deployment: {} } } }, "memory.notes.deployment is set by the service; remove it"],
])("rejects invalid arguments, and includes the field in the error: %j", (change, message) => {
  const create = () => new AgentService("support", { ...args, ...change });
  expect(create).toThrow(`AgentService "support": ${message}`);
  expect(registeredAs("support")).toBeUndefined();
});

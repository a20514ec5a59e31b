import * as pulumi from "@pulumi/pulumi";
import { AgentService, type AgentServiceArgs } from "../../../sdk";
import { registeredAs, registration, valueOf, withoutEngine } from "../program";

beforeEach(() => withoutEngine());

const deployment = {
  name: "support",
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git" },
  sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },
};

async function registered(args: Partial<AgentServiceArgs> = {}) {
  const service = new AgentService("support", { deployment, ...args });
  await valueOf(service.url);
  const members = [
    ...Object.values(service.assistants),
    ...Object.values(service.crons),
    ...Object.values(service.storeItems),
  ];
  await Promise.all(members.map(({ id }) => valueOf(id)));
  return (name: string) => registeredAs(name)!.inputs as Record<string, unknown>;
}

test("members are called by the service and their names, and are in its deployment", async () => {
  const inputsOf = await registered({
    assistants: { brief: { graph: "agent", context: { style: "brief" } } },
    crons: {
      report: { assistant: "brief", schedule: "0 9 * * *" },
      sweep: { assistant: "agent", schedule: "0 0 * * *" },
    },
    storeItems: { handbook: { namespace: ["handbook"], items: { a: { b: 1 } } } },
  });
  const place = { id: "support-id", url: "https://agent.example.com" };
  for (const name of ["support-brief", "support-report", "support-sweep", "support-handbook"])
    expect(inputsOf(name)["deployment"]).toEqual(place);
  expect(inputsOf("support-brief")).toMatchObject({ graph: "agent", context: { style: "brief" } });
  expect(inputsOf("support-sweep")).toMatchObject({ assistant: "agent" });
  expect(inputsOf("support-report")["assistant"]).not.toBe("brief");
});

test.each<[string, AgentServiceArgs["deployment"]["rollout"], object]>([
  ["nothing", undefined, { onFailure: "rollback", verify: {} }],
  ["a time", { timeout: "5m" }, { onFailure: "rollback", verify: {}, timeout: "5m" }],
  [
    "another way",
    { onFailure: "keep", verify: { graph: "a" } },
    { onFailure: "keep", verify: { graph: "a" } },
  ],
  ["an output", pulumi.output({ timeout: "5m" }), { onFailure: "rollback", verify: {}, timeout: "5m" }],
])("rollouts are verified and rolled back where the program says %s", async (_what, rollout, expected) => {
  const service = new AgentService("support", { deployment: { ...deployment, rollout } });
  const { inputs } = await registration(service.deployment);
  expect(inputs["rollout"]).toEqual(expected);
});

test.each<[Partial<AgentServiceArgs>, string]>([
  [
    {
      assistants: { report: { graph: "agent" } },
      crons: { report: { assistant: "agent", schedule: "0 9 * * *" } },
    },
    'AgentService "support": assistants and crons both have the name "report".',
  ],
  [
    { assistants: { "a b": { graph: "agent" } } },
    'assistants has the name "a b", which must begin with a letter',
  ],
])("%j is refused before anything is made", (args, text) => {
  expect(() => new AgentService("support", { deployment, ...args })).toThrow(text);
  expect(registeredAs("support")).toBeUndefined();
});

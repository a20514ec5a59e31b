/**
 * Programs whose states are stored. A release may add programs, but must not change a program that already has a stored
 * state.
 */
export const programs = {
  /** Deployments with all inputs and successful rollouts. */
  settled: `
const base = (name) => ({
  name,
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git" },
  sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },
});
new Deployment("plain", base("plain"));
new Deployment("secrets", {
  ...base("secrets"),
  secrets: { MODEL_KEY: config.requireSecret("modelKey"), GREETING: "hello", EMPTY: "" },
});
new Deployment("whole", {
  ...base("whole"),
  sourceConfig: {
    repoUrl: pulumi.secret("https://token@git.example.com/agents.git"),
    integrationId: "11111111-1111-4111-8111-111111111111",
    deploymentType: "prod",
    buildOnPush: false,
    customUrl: "https://agent.example.com",
    resourceSpec: { minScale: 1, maxScale: 3, cpu: 1.5, memoryMb: 2048, labels: { team_name: "a" }, odd_key: [1, null] },
  },
  rollout: {
    wait: true, timeout: "1h30m", triggers: ["a", 1, { b: [true] }], onSecretChange: "revise",
    onConflict: "fail", onFailure: "rollback",
  },
  adopt: "always",
});
new Deployment("image", {
  name: "image", source: "external_docker", sourceConfig: { resourceSpec: {} },
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.2.3" },
});
new Deployment("unwaited", { ...base("unwaited"), rollout: { wait: false } });
new Deployment("timed", base("timed"), { customTimeouts: { create: "10m", update: "20m", delete: "5m" }, protect: true });
class Group extends pulumi.ComponentResource {
  constructor(name) {
    super("shop:index:Group", name);
    this.agent = new Deployment("inner", base("inner"), { parent: this });
    this.registerOutputs({ url: this.agent.url });
  }
}
const group = new Group("group");
exports.url = group.agent.url;
exports.revision = group.agent.latestRevisionId;
`,
  /** Fields that can be cleared only in the `interface` dialect. */
  cleared: `
new Deployment("cleared", {
  name: "cleared", source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git", customUrl: null, resourceSpec: null },
  sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },
});
`,
  /** Fields and kinds that exist only in the `langsmith` dialect. */
  hosted: `
new Listener("cluster", { computeId: "cluster-1", namespaces: ["agents"] });
new Deployment("agent", {
  agent: { agentId: "support", environment: "staging" }, displayName: "Support",
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git", deploymentType: "serverless" },
  sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },
  deploymentTier: "SERVERLESS_S",
  environmentVariables: { LOG: "info" },
});
new Deployment("references", {
  name: "references", source: "external_docker", sourceConfig: { resourceSpec: {} },
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1.2.3" },
  secretReferences: { TOKEN: { secretName: "agent", secretKey: "token" } },
  environmentVariables: { LOG: "info" }, secrets: { MODEL_KEY: config.requireSecret("modelKey") },
});
new Deployment("folder", {
  name: "folder", source: "internal_source", sourceConfig: {}, sourceRevisionConfig: { folder: "agent" },
});
`,
  /** Failed rollouts: one that was kept, one that was rolled back, and one without an earlier good revision. */
  failed: `
const of = (name, repoRef, onFailure) => new Deployment(name, {
  name,
  source: "github",
  sourceConfig: { repoUrl: "https://git.example.com/agents.git" },
  sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
  rollout: { onFailure },
});
const commit = config.get("commit") ?? "a".repeat(40);
of("kept", commit, "keep");
of("rolled-back", commit, "rollback");
if (config.get("commit")) of("never-good", commit, "keep");
`,
  /** All kinds of agent server contents, with all inputs. */
  contents: `
const connection = { url: config.require("url"), apiKeyFrom: "AGENTSERVER_API_KEY" };
const plain = new Assistant("plain", { connection, graph: "agent" });
const whole = new Assistant("whole", {
  connection, graph: "agent", assistantId: "6b1c3d4e-0000-4000-8000-000000000001", name: "Whole", description: "All of it",
  config: { tags: ["a"], recursionLimit: 7 }, context: { style: "brief", key: config.requireSecret("modelKey") },
  metadata: { team: "sales", deep: { x: [1, null] } }, adopt: "always",
});
new Cron("plain", { connection, assistant: plain, schedule: "0 9 * * *" });
new Cron("whole", {
  connection, assistant: whole.assistantId, schedule: "30 9 * * 1-5", timezone: "Europe/Berlin",
  endTime: "2099-01-31T18:00:00Z", enabled: false, input: { messages: [{ role: "user", content: "report" }] },
  config: { tags: ["b"] }, metadata: { purpose: "report" }, onRunCompleted: "keep", webhook: "https://hooks.example.com/a",
});
const thread = new Thread("plain", { connection });
new Thread("whole", { connection, graph: "agent", metadata: { purpose: "inbox" }, ttl: { minutes: 525600, strategy: "delete" }, forceDelete: true });
new Cron("on-thread", { connection, assistant: "agent", schedule: "0 0 1 1 *", threadId: thread.threadId, multitaskStrategy: "enqueue" });
new StoreItem("plain", { connection, namespace: ["a"], key: "one", value: { text: "Hello." } });
new StoreItem("whole", { connection, namespace: ["a", "b"], key: "two", value: { key: config.requireSecret("modelKey") }, index: false, ttl: 525600 });
new StoreItems("items", { connection, namespace: ["c"], items: { one: { a: 1 }, two: { b: [true] } }, prune: false });
const run = new Run("smoke", { connection, assistant: whole, input: { messages: [{ role: "user", content: "you" }] }, triggers: [1, "a"] });
exports.output = run.output;
`,
};

/** Files that programs refer to, keyed by their paths in the project. */
export const projectFiles = {
  "agent/langgraph.json": '{ "graphs": { "agent": "./graph.ts:graph" } }\n',
  "agent/graph.ts": "export const graph = undefined;\n",
};

export type ProgramName = keyof typeof programs;

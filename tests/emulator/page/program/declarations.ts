import {
  ConfigSecret,
  Inputs,
  secretKeys,
  type Declaration,
} from "../../../../emulator/page/client/program/declaration";

/** Strings with characters that have a special meaning in some language. Programs must contain them as plain text. */
const hostile = [
  "quotes \" ' ` \\",
  "line\nbreaks\r\n\ttab",
  "${deployment.id} $${x} $$$ ${",
  "invisible \u2028\u202e\u200b\u{e0001}\u0085 end",
  "emoji 😀 ü",
  "# no comment: true",
  "yes",
  "1e3",
  "",
  "*/ // */",
];

const data = {
  texts: hostile,
  "${key}": { "a b": null, true: [[], {}, [1.5, -2, 1e21]] },
  camelCase: { snake_case: 1 },
  '"': false,
};

/** Declarations of every kind, with data that programs must not interpret. */
export const declarations: Declaration[] = [
  {
    kind: "Deployment",
    name: "Support agent № 7\n*/",
    deployment: undefined,
    inputs: new Inputs({
      name: "Support agent № 7\n*/",
      source: "github",
      sourceConfig: new Inputs({
        repoUrl: new ConfigSecret("repoUrl"),
        deploymentType: "prod",
        buildOnPush: false,
        resourceSpec: { memoryMb: 512, cpu: 1.5, labels: { "a/b": "${c}" } },
        installCommand: "npm ci\nnpm test",
        listenerConfig: new Inputs({ k8sNamespace: "agents" }),
        customUrl: undefined,
      }),
      sourceRevisionConfig: new Inputs({ repoRef: "1e3", graphConfigPath: "apps/agent one/langgraph.json" }),
      secrets: {
        OPENAI_API_KEY: new ConfigSecret("OPENAI_API_KEY"),
        "A-B": new ConfigSecret("A-B"),
        A_B: new ConfigSecret("A_B"),
      },
      environmentVariables: { MODE: "${mode}", YES: "yes" },
      secretReferences: { TOKEN: new Inputs({ secretName: "cluster", secretKey: "token" }) },
      deploymentTier: "SERVERLESS_S",
      shareable: true,
      adopt: "always",
    }),
    notices: ["A notice\nwith\u2028a line break."],
  },
  {
    kind: "Assistant",
    name: "class",
    deployment: 'agent "one"',
    inputs: new Inputs({
      graph: "agent",
      assistantId: "00000000-0000-4000-8000-00000000000a",
      name: "class",
      config: new Inputs({ tags: hostile.filter((text) => text !== ""), recursionLimit: 5 }),
      context: data,
      metadata: { data },
      adopt: "always",
    }),
    notices: [],
  },
  {
    kind: "Cron",
    name: "agent-cron",
    deployment: "agent",
    inputs: new Inputs({
      assistant: "agent",
      schedule: "0 9 * * 1-5",
      timezone: "Europe/Zurich",
      enabled: false,
      input: data,
      webhook: new ConfigSecret("webhook"),
      interruptBefore: ["a"],
      interruptAfter: "*",
      onRunCompleted: "keep",
      durability: "exit",
      cronId: "00000000-0000-4000-8000-0000000000c1",
      adopt: "always",
    }),
    notices: [],
  },
  {
    kind: "StoreItem",
    name: "memories-ada-${x}",
    deployment: "agent",
    inputs: new Inputs({ namespace: ["memories", "ada"], key: "${x}", value: data, adopt: "always" }),
    notices: [],
  },
  {
    kind: "Thread",
    name: "thread-1",
    deployment: "agent",
    inputs: new Inputs({
      threadId: "00000000-0000-4000-8000-00000000000b",
      graph: "agent",
      metadata: data,
      adopt: undefined,
    }),
    notices: [],
  },
];

/** Control plane that the programs connect to. */
export const connection = { baseUrl: "http://127.0.0.1:8123", tenantId: "it's mine" };

/** Returns the inputs as data; each secret is the text `value of <configuration key>`. */
export function plainInputs(declaration: Declaration): Record<string, unknown> {
  const keys = secretKeys(declaration);
  const plain = (value: unknown): unknown => {
    if (value instanceof ConfigSecret) return `value of ${keys.get(value)}`;
    if (value instanceof Inputs) return plain(value.values);
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(entries.map(([key, item]) => [key, plain(item)]));
  };
  return plain(declaration.inputs) as Record<string, unknown>;
}

/** Replaces the wrappers of secrets with their values. */
export function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapped);
  if (typeof value !== "object" || value === null) return value;
  if ("4dabf18193072939515e22adb298388d" in value) return unwrapped((value as { value?: unknown }).value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrapped(item)]));
}

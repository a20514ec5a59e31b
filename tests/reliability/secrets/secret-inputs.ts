/**
 * Returns the source of a deployment's inputs, with secret values in all string fields. The program must define `key`.
 */
export const secretInputs = (ref: string) => `
  name: "support-agent",
  source: "github",
  sourceConfig: {
    repoUrl: key.apply((value) => "https://" + encodeURIComponent(value) + "@git.example.com/agents.git"),
    customUrl: key.apply((value) => "https://agent.example.com/" + encodeURIComponent(value)),
    resourceSpec: { labels: { token: key } },
  },
  sourceRevisionConfig: { repoRef: ${JSON.stringify(ref)}, graphConfigPath: "langgraph.json" },
  secrets: { MODEL_KEY: config.requireSecret("modelKey"), GREETING: config.requireSecret("greeting"), KEY: key },
  rollout: { triggers: [key] },
`;

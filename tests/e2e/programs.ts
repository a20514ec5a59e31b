import type { DeploymentSettings, NamedArgs } from "../../sdk";

/** What is otherwise in an agent's arguments. */
type Change = Partial<DeploymentSettings & NamedArgs>;

/** The arguments of an agent that only a simulated rollout can deploy. */
export function agentArgs(change: Change = {}): DeploymentSettings & NamedArgs {
  return {
    name: "support-agent",
    source: "github",
    sourceConfig: { repoUrl: "https://git.example.com/agents.git" },
    sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },
    ...change,
  };
}

/** A line of a program that declares the deployment `agent`; arguments and options as they stand in JSON. */
export function declaring(change: Change = {}, options: object = {}): string {
  return `const agent = new Deployment("agent", ${JSON.stringify(agentArgs(change))}, ${JSON.stringify(options)});\n`;
}

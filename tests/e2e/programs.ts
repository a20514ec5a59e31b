import type { DeploymentSettings, NamedArgs } from "../../sdk";

/** Changes to the default arguments of an agent. */
type Change = Partial<DeploymentSettings & NamedArgs>;

/** Returns the arguments of an agent that can be deployed only with simulated rollouts. */
export function agentArgs(change: Change = {}): DeploymentSettings & NamedArgs {
  return {
    name: "support-agent",
    source: "github",
    sourceConfig: { repoUrl: "https://git.example.com/agents.git" },
    sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },
    ...change,
  };
}

/** Returns a line of a program that declares the `agent` deployment, with its arguments and options as JSON. */
export function declaring(change: Change = {}, options: object = {}): string {
  return `const agent = new Deployment("agent", ${JSON.stringify(agentArgs(change))}, ${JSON.stringify(options)});\n`;
}

import type { ControlPlaneOptions, DialectName, RolloutReport, RolloutRunner } from "../../emulator/index";
import { canary, World } from "../provider/world";

/** Starts a control plane with this dialect. */
export function worldOf(dialect: DialectName, options: ControlPlaneOptions = {}): Promise<World> {
  return World.start({ dialect, ...options });
}

/**
 * Creates a deployment without the provider and resolves with its ID. Its rollout does not progress until the test
 * advances it.
 */
export async function make(
  world: World,
  name: string,
  dialect: DialectName,
  owner?: string,
): Promise<string> {
  const configPath = dialect === "langsmith" ? "langgraph_config_path" : "graph_config_path";
  const secrets = [{ name: "MODEL_KEY", value: `${canary}-model` }];
  const record = await world.request("POST", "/v2/deployments", {
    name,
    source: "github",
    source_config: {
      integration_id: world.admin.seedIntegration({ name: "github" }),
      repo_url: "https://git.example.com/agents.git",
      deployment_type: "dev",
      build_on_push: false,
    },
    source_revision_config: { repo_ref: "v1", [configPath]: "langgraph.json" },
    secrets: owner === undefined ? secrets : [...secrets, { name: "AGENTSERVER_OWNER", value: owner }],
  });
  return (record as { id: string }).id;
}

/** Runner for rollouts with scripted logs and results. */
export class SteeredRunner implements RolloutRunner {
  private readonly started: { report: RolloutReport; finish: (failure?: Error) => void }[] = [];

  roll: RolloutRunner["roll"] = (_, report, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      const finish = (failure?: Error) => (failure ? reject(failure) : resolve(undefined));
      this.started.push({ report, finish });
    });

  restart: RolloutRunner["restart"] = async () => undefined;

  /** Returns the rollout that started most recently. */
  get last() {
    return this.started.at(-1)!;
  }
}

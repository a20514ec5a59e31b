import type { AgentServerClient } from "../agent-server/client";
import { lookUpAssistant, lookUpStoreItem } from "./contents";
import {
  authenticate,
  consentWait,
  type AuthenticationWait,
  type AuthenticationRequest,
} from "./authenticate";
import { systemClock, type Clock } from "../clock";
import type { ConfigReader } from "../control-plane/connection";
import { KeyRing } from "../core/agent-server/key-ring";
import { Servers } from "../core/agent-server/servers";
import { findIntegration, type RepositoryIntegration } from "../deployment/reconcile/find-integration";
import {
  listDeployments,
  lookUpDeployment,
  type DeploymentFilters,
  type WantedDeployment,
} from "./deployments";
import { lookUpLogs, type WantedLogs } from "./logs";
import { AgentServerError } from "../errors";
import { serverIn, type ServerInputs } from "../resource/server";
import { Session } from "../session/session";

/** Dependencies of lookups on the calling program. */
export interface LookUpOptions {
  /** Settings of the namespace `agentserver`. */
  config: ConfigReader;
  /** The configuration keys that `connection.apiKeyFrom` may name. */
  keys: (name: string) => string | undefined;
  env: NodeJS.ProcessEnv;
  clock?: Clock;
}

/** Returns the lookups of a program: on the control plane, and on agent servers. */
export function lookUpsWith({ config, keys, env, clock = systemClock }: LookUpOptions) {
  const session = new Session({ config, env, clock, random: Math.random });
  const servers = new Servers(session, new KeyRing(keys, env));
  // A lookup on an agent server of another connection needs no control plane.
  const client = () => session.client();
  const at = (server: ServerInputs) => clientOf(servers, server);
  return {
    deployment: (wanted: WantedDeployment) => lookUpDeployment(client(), wanted),
    deployments: (filters: DeploymentFilters) => listDeployments(client(), filters),
    integration: (repoUrl: string): Promise<RepositoryIntegration> => findIntegration(client(), repoUrl),
    listeners: () => client().listeners.list(),
    revisions: (deploymentId: string) => client().revisions.pages(deploymentId),
    logs: (wanted: WantedLogs) => lookUpLogs(client(), wanted, session.secrets),
    consentWait,
    authenticate: (request: AuthenticationRequest, wait: Omit<AuthenticationWait, "clock">) =>
      authenticate(client(), request, { ...wait, clock }),
    assistant: async (server: ServerInputs, wanted: { assistantId?: string; name?: string }) =>
      lookUpAssistant(at(server), wanted),
    assistants: async (server: ServerInputs, filter: object) => at(server).assistants.search(filter),
    storeItem: async (server: ServerInputs, namespace: readonly string[], key: string) =>
      lookUpStoreItem(at(server), namespace, key),
    threads: async (server: ServerInputs, filter: object, limit: number) =>
      at(server).threads.list(filter, limit),
  };
}

/**
 * Returns a client of the agent server that inputs specify.
 * @throws AgentServerError if its address or its key is not available
 */
function clientOf(servers: Servers, inputs: ServerInputs): AgentServerClient {
  const address = serverIn({ ...inputs });
  if (address) return servers.client(address, {});
  throw new AgentServerError(
    "bad_configuration",
    inputs.deployment
      ? `Deployment ${inputs.deployment.id} has no address yet. It has one once a revision of it has been deployed.`
      : "An agent server is required: specify a deployment, or a connection with its url.",
  );
}

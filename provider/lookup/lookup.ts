import { listAssistants, lookUpAssistant, lookUpStoreItem, type AssistantFilters } from "./contents";
import { authenticate, type AuthenticationWait, type AuthenticationRequest } from "./authenticate";
import { systemClock, type Clock } from "../clock";
import type { ConfigReader } from "../control-plane/connection";
import { KeyRing } from "../core/agent-server/key-ring";
import { Connections } from "../core/connections";
import { Servers } from "../core/agent-server/servers";
import type { Identity } from "../deployment/inputs/identity";
import { findIntegration, type RepositoryIntegration } from "../deployment/reconcile/find-integration";
import {
  findDeployment,
  listDeployments,
  lookUpDeployment,
  type DeploymentFilters,
  type WantedDeployment,
} from "./deployments";
import type { ConnectionInputs } from "../control-plane/connection-inputs";
import { verifyServing } from "./verified";
import type { DeploymentRecord } from "../../wire";
import { lookUpLogs, type WantedLogs } from "./logs";
import { AgentServerError } from "../errors";
import { at } from "../resource/inputs/values";
import { serverIn, type ServerAddress, type ServerInputs } from "../resource/server";
import { type ClientOptions, Session } from "../session/session";

/** Values that the calling program provides for lookups. */
export interface LookUpOptions {
  /** Settings in the `agentserver` namespace. */
  config: ConfigReader;
  /** The configuration keys that `connection.apiKeyFrom` can refer to. */
  keys: (name: string) => string | undefined;
  env: NodeJS.ProcessEnv;
  clock?: Clock;
}

/** Lookups on a control plane and on agent servers. */
export type LookUps = ReturnType<typeof lookUpsIn>;

/** Returns the lookups of a program with these settings. */
export function lookUpsWith({ config, keys, env, clock = systemClock }: LookUpOptions): LookUps {
  const session = new Session({ config, env, clock, random: Math.random });
  return lookUpsIn(session, new KeyRing(keys, env));
}

/** Returns the lookups of a session. The signal cancels all requests and pending waits. */
export function lookUpsIn(
  session: Session,
  keys: KeyRing,
  options: Pick<ClientOptions, "signal" | "redact"> = {},
) {
  const connections = new Connections(session, keys);
  const servers = new Servers(connections, keys);
  // Created only when it is needed, because a lookup on an agent server with its own connection needs no control plane.
  const client = () => session.client(options);
  const clientOf = (server: ServerInputs) => servers.client(addressOf(server), options);
  return {
    /** Returns the lookups on the configured control plane, or on a different one. */
    controlPlane: (connection?: ConnectionInputs) => {
      const place = connections.session(connection);
      return {
        deployments: (filters: DeploymentFilters) => listDeployments(place.client(options), filters),
        findDeployment: (identity: Identity) => findDeployment(place.client(options), identity),
        revisions: (deploymentId: string) => place.client(options).revisions.pages(deploymentId),
        deployment: (wanted: WantedDeployment) => lookUpDeployment(place.client(options), wanted),
        verified: (record: DeploymentRecord, verify: { graph?: string }, warn: (reason: string) => void) =>
          verifyServing(record, verify, {
            client: place.client(options),
            agentServer: (url) => place.agentServer(url, options),
            warn,
            now: () => session.clock.now(),
            signal: options.signal,
          }),
      };
    },
    integration: (repoUrl: string): Promise<RepositoryIntegration> => findIntegration(client(), repoUrl),
    listeners: () => client().listeners.list(),
    logs: (wanted: WantedLogs) => lookUpLogs(client(), wanted, session.secrets),
    authenticate: (request: AuthenticationRequest, wait: Pick<AuthenticationWait, "waitMs" | "onPending">) =>
      authenticate(client(), request, { ...wait, clock: session.clock, signal: options.signal }),
    /** Returns the secrets of the connections that a function with these arguments uses. */
    secrets: (args: object) => connections.secrets(connectionsIn(args)),
    probe: (url: string, signal: AbortSignal) => session.probe(url, signal),
    now: () => session.clock.now(),
    assistant: async (server: ServerInputs, wanted: { assistantId?: string; name?: string }) =>
      lookUpAssistant(clientOf(server), wanted),
    assistants: async (server: ServerInputs, filters: AssistantFilters) =>
      listAssistants(clientOf(server), filters),
    storeItem: async (server: ServerInputs, namespace: readonly string[], key: string) =>
      lookUpStoreItem(clientOf(server), namespace, key),
    threads: async (server: ServerInputs, filter: object, limit: number) =>
      clientOf(server).threads.list(filter, limit),
  };
}

/** Returns the connections in the arguments of a function. */
export function connectionsIn(args: object): unknown[] {
  return ["connection", "deployment.connection", "to.connection"].map((path) => at(args, path));
}

/**
 * Returns the address of the agent server that inputs specify.
 * @throws AgentServerError if the address is not known yet
 */
function addressOf(inputs: ServerInputs): ServerAddress {
  const address = serverIn({ ...inputs });
  if (address) return address;
  throw new AgentServerError(
    "bad_configuration",
    `Deployment ${inputs.deployment!.id} has no address yet. It gets one when a revision has been deployed.`,
  );
}

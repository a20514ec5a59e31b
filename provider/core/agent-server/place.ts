import { isDeepStrictEqual } from "node:util";
import { AgentServerError } from "../../errors";
import type { Finding } from "../../resource/inputs/finding";
import type { AgentServerKind } from "../../resource/kind";
import { type ManagedState, addressIn, type Location } from "../../resource/managed";
import { type ServerInputs, serverIn, type ServerAddress, serverPaths } from "../../resource/server";
import { at, type Props } from "../../resource/inputs/values";
import type { CheckedResource, OperationContext, Endpoint, EndpointOptions } from "../endpoint";
import { Connections, refusedSetting } from "../connections";
import { AgentServerChecker } from "./checker";
import { KeyRing } from "./key-ring";
import { Servers } from "./servers";
import type { Deadline } from "../../deadline";
import { RetryBudget } from "../../http/retry";
import { isBeingDeleted, type DeploymentRecord } from "../../../wire";
import type { AgentServerOperation, ImportedObject } from "../../resource/operation";
import { parseImportId } from "./import-id";

/** Location of resources on the agent servers that their inputs specify. */
export class AgentServer implements Endpoint {
  private readonly checker: AgentServerChecker;
  private readonly keys: KeyRing;
  private readonly connections: Connections;
  private readonly servers: Servers;

  constructor(
    private readonly kind: AgentServerKind<ServerInputs, ServerInputs & ManagedState, string>,
    private readonly options: EndpointOptions,
  ) {
    const { session, config, maxWaitMs } = options;
    this.keys = new KeyRing(config, session.env);
    this.connections = new Connections(session, this.keys);
    this.servers = new Servers(this.connections, this.keys);
    this.checker = new AgentServerChecker(kind, this.servers, maxWaitMs);
  }

  failures(news: Props): Finding[] {
    const apiKeyFrom = at(news, "connection.apiKeyFrom");
    return [
      ...(news["deployment"] === undefined
        ? []
        : this.connections.failures(
            at(news, "deployment.connection"),
            "deployment.connection",
            "deployment",
          )),
      ...(typeof apiKeyFrom === "string"
        ? refusedSetting("connection.apiKeyFrom", () => this.keys.get(apiKeyFrom))
        : []),
    ];
  }

  secrets(all: readonly Props[]): string[] {
    return this.connections.secrets(
      all.flatMap((values) => [at(values, "connection"), at(values, "deployment.connection")]),
    );
  }

  findings(olds: Props, news: Props, who: CheckedResource): Promise<Finding[]> {
    return this.checker.findings(olds, news, who);
  }

  /**
   * True if the control plane of the deployment has a different address than in state. A server without a control plane
   * cannot have moved.
   */
  hasMoved(state: ManagedState, wanted: Props): boolean {
    const { controlPlane } = state;
    if (!controlPlane) return false;
    const connection = at(wanted, "deployment.connection");
    const recorded = at(state, "deployment.connection");
    const isElsewhere = !isDeepStrictEqual(connection, recorded);
    if (isElsewhere && at(wanted, "deployment.id") !== at(state, "deployment.id")) {
      // A resource that follows its deployment to another control plane is created there, and deleted on the recorded
      // one.
      this.connections.find(recorded)?.refuseMove(controlPlane);
      return false;
    }
    const session = this.connections.find(connection);
    session?.refuseMove(controlPlane);
    return session?.hasMoved(controlPlane) ?? false;
  }

  async operation(course: OperationContext): Promise<AgentServerOperation> {
    const { importId, wanted } = course;
    if (importId === undefined || serverPaths.some((path) => at(wanted, path) !== undefined))
      return createAgentServerOperation(this.servers, course);
    const imported = await this.located(parseImportId(importId, this.kind), course);
    const operation = await createAgentServerOperation(this.servers, {
      ...course,
      wanted: { ...imported.server },
    });
    return { ...operation, imported };
  }

  /** Returns an object that is being imported, with the current address of its deployment. */
  private async located(
    imported: ImportedObject,
    { call, reporter, limit }: OperationContext,
  ): Promise<ImportedObject> {
    const { id } = imported.server.deployment ?? {};
    if (id === undefined) return imported;
    const { session } = this.options;
    const deadline = { ...limit, at: session.clock.now() + limit.totalMs };
    const waiting = { deadline, onRetry: reporter.onRetry, signal: call.signal };
    const record = await session.deploymentAtStart(id, waiting);
    if (!record)
      throw new AgentServerError("resource_gone", `Deployment ${id} does not exist in this workspace.`);
    const url = addressOf(record);
    return { ...imported, server: { deployment: { id, ...(url !== undefined && { url }) } } };
  }
}

/** Creates the context of one operation on a resource of an agent server. */
async function createAgentServerOperation(
  servers: Servers,
  context: OperationContext,
): Promise<AgentServerOperation> {
  const { reporter, resource, limit, redact } = context;
  const { signal } = context.call;
  const { clock } = servers.session;
  const deadline = { ...limit, at: clock.now() + limit.totalMs };
  const named = serverIn(context.wanted);
  if (!named)
    throw new AgentServerError(
      "bad_configuration",
      "The deployment has no address yet. Wait until its rollout has finished (`rollout.wait` must not be false), then run the command again.",
    );
  const location = await locationOf(servers, named, context, deadline);
  const budget = new RetryBudget();
  const { onRetry, status, log } = reporter;
  return {
    server: servers.client(location.server ?? named, { deadline, onRetry, redact, budget, signal }),
    isGone: location.server === undefined,
    isGoneNow: () => isGoneNow(servers, named, context, deadline),
    resource: { ...resource, controlPlane: location.controlPlane },
    time: { clock, deadline, signal },
    report: { log, status, redact },
  };
}

/**
 * Location of a resource: its agent server, unless the server no longer exists, and the control plane of its
 * deployment.
 */
interface ServerLocation {
  server?: ServerAddress | undefined;
  controlPlane?: Location;
}

/**
 * Returns the current location of a resource. For a read or a delete, requests the address of the deployment, because
 * it may have changed. If the control plane does not respond, returns the address in state.
 * @throws AgentServerError `moved_control_plane` if the configured control plane is not the one in state
 */
async function locationOf(
  servers: Servers,
  server: ServerAddress,
  { call, reporter, hasInputs, known }: OperationContext,
  deadline: Deadline,
): Promise<ServerLocation> {
  if (server.deploymentId === undefined) return { server };
  const session = servers.controlPlaneOf(server);
  const recorded = addressIn(known);
  session.refuseMove(recorded);
  const { baseUrl, tenantId = recorded?.tenantId ?? "" } = session.connection;
  // If the key alone identifies the workspace, only the server can report the ID of the workspace.
  if (hasInputs && tenantId !== "") return { server, controlPlane: { baseUrl, tenantId } };
  const waiting = { deadline, onRetry: reporter.onRetry, signal: call.signal };
  try {
    const record = await session.deploymentAtStart(server.deploymentId, waiting);
    const controlPlane = { baseUrl, tenantId: tenantId || (record?.tenant_id ?? "") };
    if (hasInputs) return { server, controlPlane };
    if (!record) await session.confirmWorkspace(server.deploymentId, recorded, waiting);
    const url = (record && addressOf(record)) ?? server.url;
    return { server: record && { ...server, url }, controlPlane };
  } catch (error) {
    if (!AgentServerError.is(error) || error.code === "moved_control_plane") throw error;
    return { server, controlPlane: { baseUrl, tenantId } };
  }
}

/** True if the deployment of an agent server has been deleted, or is being deleted. */
async function isGoneNow(
  servers: Servers,
  server: ServerAddress,
  { call: { signal }, reporter: { onRetry }, known }: OperationContext,
  deadline: Deadline,
): Promise<boolean> {
  const { deploymentId } = server;
  if (deploymentId === undefined) return false;
  try {
    const session = servers.controlPlaneOf(server);
    const record = await session.client({ deadline, onRetry }).deployments.find(deploymentId, signal);
    if (!record)
      await session.confirmWorkspace(deploymentId, addressIn(known), { deadline, onRetry, signal });
    return !record || isBeingDeleted(record);
  } catch {
    return false;
  }
}

function addressOf({ url, source_config: source }: DeploymentRecord): string | undefined {
  return url ?? source?.custom_url ?? undefined;
}

import type { Deadline } from "../../deadline";
import { AgentServerError } from "../../errors";
import { RetryBudget } from "../../http/retry";
import type { AgentServerOperation } from "../../resource/operation";
import { addressIn, type Location } from "../../resource/managed";
import { serverIn, type ServerAddress } from "../../resource/server";
import type { OperationContext } from "../endpoint";
import type { Servers } from "./servers";

/** Creates the context of one operation on a resource of an agent server. */
export async function operationAtAgentServer(
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
      "The deployment has no address yet. Let its rollout be waited for (`rollout.wait`), then run `pulumi up` again.",
    );
  const location = await locationOf(servers, named, context, deadline);
  const budget = new RetryBudget();
  const { onRetry, status, log } = reporter;
  return {
    server: servers.client(location.server ?? named, { deadline, onRetry, redact, budget, signal }),
    isGone: location.server === undefined,
    resource: { ...resource, controlPlane: location.controlPlane },
    time: { clock, deadline, signal },
    report: { log, status, redact },
  };
}

/** Location of a resource: its agent server, if that still exists, and the control plane of its deployment. */
interface ServerLocation {
  server?: ServerAddress | undefined;
  controlPlane?: Location;
}

/**
 * Returns the current location of a resource. The deployment may have another address than in state; if the control plane
 * does not respond, the address in state counts.
 * @throws AgentServerError `moved_control_plane` if the configured control plane is another one than that in state
 */
async function locationOf(
  { session }: Servers,
  server: ServerAddress,
  { call, reporter, hasInputs, known }: OperationContext,
  deadline: Deadline,
): Promise<ServerLocation> {
  if (server.deploymentId === undefined) return { server };
  const recorded = addressIn(known);
  session.refuseMove(recorded);
  const { baseUrl, tenantId = recorded?.tenantId ?? "" } = session.connection;
  // The key alone may identify the workspace, which only the server can name then.
  if (hasInputs && tenantId !== "") return { server, controlPlane: { baseUrl, tenantId } };
  const waiting = { deadline, onRetry: reporter.onRetry, signal: call.signal };
  try {
    const record = await session.deploymentAtStart(server.deploymentId, waiting);
    const controlPlane = { baseUrl, tenantId: tenantId || (record?.tenant_id ?? "") };
    if (hasInputs) return { server, controlPlane };
    if (!record) await session.confirmWorkspace(server.deploymentId, recorded, waiting);
    const url = record?.url ?? record?.source_config?.custom_url ?? server.url;
    return { server: record && { ...server, url }, controlPlane };
  } catch (error) {
    if (!AgentServerError.is(error) || error.code === "moved_control_plane") throw error;
    return { server, controlPlane: { baseUrl, tenantId } };
  }
}

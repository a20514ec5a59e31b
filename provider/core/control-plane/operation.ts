import type { ClientWith } from "../../control-plane/name-lookup";
import { RetryBudget } from "../../http/retry";
import type { ControlPlaneOperation } from "../../resource/operation";
import { addressIn } from "../../resource/managed";
import type { Session } from "../../session/session";
import type { OperationContext } from "../endpoint";

/** Creates the context of one operation on a resource of the control plane. */
export async function operationAtControlPlane(
  session: Session,
  context: OperationContext,
): Promise<ControlPlaneOperation> {
  const { reporter, writes, resource, limit, redact } = context;
  const { signal } = context.call;
  const known = addressIn(context.known);
  session.refuseMove(known);
  const { baseUrl, tenantId } = session.connection;
  const { onRetry, status, log } = reporter;
  const startedAt = session.clock.now();
  const whole = { ...limit, at: startedAt + limit.totalMs };
  if (writes) await session.verifyAccess({ deadline: whole, onRetry, signal });
  const dialect = await session.dialect(known, { deadline: whole, onRetry, signal });
  const controlPlane = { baseUrl, tenantId: tenantId ?? (known?.tenantId || ""), dialect: dialect.name };
  const budget = new RetryBudget();
  const until = (at: number): ControlPlaneOperation => {
    const deadline = { ...limit, at, totalMs: at - startedAt };
    const client = session.client({ deadline, onRetry, redact, budget });
    const waiting = { deadline, onRetry, signal };
    const lookingUp: ClientWith = (onRetry) => session.client({ deadline, onRetry, redact, budget });
    return {
      resource: { ...resource, controlPlane },
      plane: {
        client,
        findByName: (name, isFresh) => session.names.find(lookingUp, name, { isFresh, ...waiting }),
        findByAgent: (agentId, environment) => client.deployments.findByAgent(agentId, environment, signal),
        deploymentsAtStart: () => session.deploymentsAtStart(waiting),
        agentServer: (url) => session.agentServer(url, { deadline, onRetry, redact, budget, signal }),
        upload: (file) => session.upload(file),
        polling: session.polling,
        dialect,
        controlPlane,
        confirmWorkspace: (deploymentId) => session.confirmWorkspace(deploymentId, known, waiting),
      },
      time: { clock: session.clock, deadline, signal },
      report: { log, status, redact },
      until,
    };
  };
  return until(whole.at);
}

import type { ClientWith } from "../../control-plane/name-lookup";
import { RetryBudget } from "../../http/retry-budget";
import type { ControlPlaneOperation } from "../../resource/control-plane-operation";
import { addressIn } from "../../resource/managed";
import type { Session } from "../../session/session";
import type { Course } from "../endpoint";

/** What one call of the engine about something at the control plane needs. */
export async function operationAtControlPlane(
  session: Session,
  course: Course,
): Promise<ControlPlaneOperation> {
  const { voice, call, writes, ownerId, timeoutMs, timeoutInput, redact, workingFolder } = course;
  const { signal } = call;
  const known = addressIn(course.known);
  session.refuseMove(known);
  const { baseUrl, tenantId } = session.connection;
  const { onRetry, status, log } = voice;
  const deadline = session.clock.now() + timeoutMs;
  if (writes) await session.verifyAccess(voice.waitingUntil(deadline));
  const dialect = await session.dialect(known, voice.waitingUntil(deadline));
  const budget = new RetryBudget();
  const until = (deadline: number): ControlPlaneOperation => {
    const client = session.client({ deadline, onRetry, redact, budget });
    const waiting = voice.waitingUntil(deadline);
    const lookingUp: ClientWith = (onRetry) => session.client({ deadline, onRetry, redact, budget });
    return {
      client,
      findByName: (name, isFresh) => session.names.find(lookingUp, name, { isFresh, ...waiting }),
      findByAgent: (agentId, environment) => client.deployments.findByAgent(agentId, environment, signal),
      deploymentsAtStart: () => session.deploymentsAtStart(waiting),
      agentServer: (url) => session.agentServer(url, { deadline, onRetry, redact, budget, signal }),
      upload: (file) => session.upload(file),
      waits: session.waits,
      until,
      workingFolder,
      clock: session.clock,
      dialect,
      controlPlane: { baseUrl, tenantId: tenantId ?? (known?.tenantId || ""), dialect: dialect.name },
      unconfirmedWorkspace: tenantId === undefined ? known?.tenantId : undefined,
      ownerId,
      identity: call,
      deadline,
      timeoutMs,
      timeoutInput,
      status,
      log,
      redact,
      signal,
    };
  };
  return until(deadline);
}

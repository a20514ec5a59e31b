import { AgentServerError } from "../../errors";
import { failure, type Finding } from "../../resource/inputs/finding";
import type { ControlPlaneKind } from "../../resource/kind";
import { type ControlPlaneState, addressIn } from "../../resource/managed";
import type { Props } from "../../resource/inputs/values";
import type { Session } from "../../session/session";
import type { CheckedResource, OperationContext, Endpoint } from "../endpoint";
import { ControlPlaneChecker } from "./checker";
import type { ClientWith } from "../../control-plane/name-lookup";
import { RetryBudget } from "../../http/retry";
import type { ControlPlaneOperation } from "../../resource/operation";

/** The control plane of a configuration. */
export class ControlPlane implements Endpoint {
  private readonly checker: ControlPlaneChecker;

  /** @param maxWaitMs maximum time for all questions about one resource, in milliseconds of real time */
  constructor(
    kind: ControlPlaneKind<object, ControlPlaneState, string>,
    private readonly session: Session,
    maxWaitMs: number,
  ) {
    this.checker = new ControlPlaneChecker(kind, session, maxWaitMs);
  }

  failures(): Finding[] {
    try {
      void this.session.connection;
      return [];
    } catch (error) {
      if (!AgentServerError.is(error)) throw error;
      return [failure("", error.message)];
    }
  }

  secrets(): string[] {
    return this.session.secrets;
  }

  findings(olds: Props, news: Props, who: CheckedResource): Promise<Finding[]> {
    return this.checker.findings(olds, news, who);
  }

  hasMoved({ controlPlane }: ControlPlaneState): boolean {
    this.session.refuseMove(controlPlane);
    return this.session.hasMoved(controlPlane);
  }

  operation(course: OperationContext) {
    return createControlPlaneOperation(this.session, course);
  }
}

/** Creates the context of one operation on a resource of the control plane. */
async function createControlPlaneOperation(
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
    const lookUps: ClientWith = (onRetry) => session.client({ deadline, onRetry, redact, budget });
    return {
      resource: { ...resource, controlPlane },
      plane: {
        client,
        findByName: (name, isFresh) => session.names.find(lookUps, name, { isFresh, ...waiting }),
        findByAgent: (agentId, environment) => client.deployments.findByAgent(agentId, environment, signal),
        deploymentsAtStart: () => session.deploymentsAtStart(waiting),
        agentServer: (url, redact) => session.agentServer(url, { deadline, onRetry, redact, budget, signal }),
        upload: (file) => session.upload(file),
        postJson: (url, request) => session.postJson(url, request),
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

import type { ConnectionInputs } from "../../control-plane/connection-inputs";
import type { Finding } from "../../resource/inputs/finding";
import type { ControlPlaneKind } from "../../resource/kind";
import { type ControlPlaneState, addressIn } from "../../resource/managed";
import type { Props } from "../../resource/inputs/values";
import type { Session } from "../../session/session";
import { KeyRing } from "../agent-server/key-ring";
import { Connections } from "../connections";
import type { CheckedResource, OperationContext, Endpoint, EndpointOptions } from "../endpoint";
import { ControlPlaneChecker } from "./checker";
import type { ClientWith } from "../../control-plane/name-lookup";
import { RetryBudget } from "../../http/retry";
import type { ControlPlaneOperation } from "../../resource/operation";

/** Location of resources on the configured control plane, or on those that connections in their inputs specify. */
export class ControlPlane implements Endpoint {
  private readonly connections: Connections;
  /** Checkers, keyed by control plane and workspace. Names in different workspaces are independent. */
  private readonly checkers = new Map<string, ControlPlaneChecker>();

  constructor(
    private readonly kind: ControlPlaneKind<object, ControlPlaneState, string>,
    private readonly options: EndpointOptions,
  ) {
    const { session, config } = options;
    this.connections = new Connections(session, new KeyRing(config, session.env));
  }

  failures({ connection }: Props): Finding[] {
    return this.connections.failures(connection, "connection", "");
  }

  secrets(all: readonly Props[]): string[] {
    return this.connections.secrets(all.map(({ connection }) => connection));
  }

  findings(olds: Props, news: Props, who: CheckedResource): Promise<Finding[]> {
    const session = this.connections.find(news["connection"]);
    const location = session && locationOf(session);
    const created = () => new ControlPlaneChecker(this.kind, session, this.options.maxWaitMs);
    if (location === undefined) return created().findings(olds, news, who);
    const checker = this.checkers.get(location) ?? created();
    this.checkers.set(location, checker);
    return checker.findings(olds, news, who);
  }

  hasMoved({ controlPlane }: ControlPlaneState, { connection }: Props): boolean {
    const session = this.connections.find(connection);
    session?.refuseMove(controlPlane);
    return session?.hasMoved(controlPlane) ?? false;
  }

  async operation(context: OperationContext): Promise<ControlPlaneOperation> {
    const connection = context.wanted["connection"] as ConnectionInputs | undefined;
    return createControlPlaneOperation(this.connections.session(connection), context);
  }
}

/** Returns a key for the workspace of a session; `undefined` if its settings are invalid. */
function locationOf(session: Session): string | undefined {
  try {
    const { baseUrl, tenantId } = session.connection;
    return JSON.stringify([baseUrl, tenantId]);
  } catch {
    return undefined;
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

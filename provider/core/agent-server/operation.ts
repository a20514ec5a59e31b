import type { Deadline } from "../../deadline";
import { AgentServerError } from "../../errors";
import { RetryBudget } from "../../http/retry";
import type { AgentServerOperation } from "../../resource/operation";
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
  const server = context.hasInputs ? named : await whereItIs(servers, named, context, deadline);
  const budget = new RetryBudget();
  const { onRetry, status, log } = reporter;
  return {
    server: servers.client(server ?? named, { deadline, onRetry, redact, budget, signal }),
    isGone: server === undefined,
    resource,
    time: { clock, deadline, signal },
    report: { log, status, redact },
  };
}

/**
 * Where the server of a state is by now: its deployment may have got another address since. Nothing where the deployment
 * is gone; the address in state where the control plane does not answer.
 */
async function whereItIs(
  { session }: Servers,
  server: ServerAddress,
  { call, reporter }: OperationContext,
  deadline: Deadline,
): Promise<ServerAddress | undefined> {
  if (server.deploymentId === undefined) return server;
  try {
    const waiting = { deadline, onRetry: reporter.onRetry, signal: call.signal };
    const record = await session.deploymentAtStart(server.deploymentId, waiting);
    return record && { ...server, url: record.url ?? record.source_config?.custom_url ?? server.url };
  } catch (error) {
    if (AgentServerError.is(error)) return server;
    throw error;
  }
}

import { AgentServerError } from "../../errors";
import { RetryBudget } from "../../http/retry-budget";
import type { AgentServerOperation } from "../../resource/agent-server-operation";
import { serverIn, type ServerAddress } from "../../resource/server";
import type { Course } from "../endpoint";
import type { Servers } from "./servers";

/** What one call of the engine about something at an agent server needs. */
export async function operationAtAgentServer(
  servers: Servers,
  course: Course,
): Promise<AgentServerOperation> {
  const { voice, call, wanted, ownerId, timeoutMs, timeoutInput, redact, workingFolder } = course;
  const { signal } = call;
  const { clock } = servers.session;
  const deadline = clock.now() + timeoutMs;
  const named = serverIn(wanted);
  if (!named)
    throw new AgentServerError(
      "bad_configuration",
      "The deployment has no address yet. Let its rollout be waited for (`rollout.wait`), then run `pulumi up` again.",
    );
  const server = course.hasInputs ? named : await whereItIs(servers, named, course, deadline);
  const budget = new RetryBudget();
  const { onRetry, status, log } = voice;
  const until = (deadline: number): AgentServerOperation => ({
    server: servers.client(server ?? named, { deadline, onRetry, redact, budget, signal }),
    isGone: server === undefined,
    until,
    workingFolder,
    clock,
    ownerId,
    identity: call,
    deadline,
    timeoutMs,
    timeoutInput,
    status,
    log,
    redact,
    signal,
  });
  return until(deadline);
}

/**
 * Where the server of a state is by now: its deployment may have got another address since. Nothing where the deployment
 * is gone; the address in state where the control plane does not answer.
 */
async function whereItIs(
  { session }: Servers,
  server: ServerAddress,
  { voice }: Course,
  deadline: number,
): Promise<ServerAddress | undefined> {
  if (server.deploymentId === undefined) return server;
  try {
    const record = await session.deploymentAtStart(server.deploymentId, voice.waitingUntil(deadline));
    return record && { ...server, url: record.url ?? record.source_config?.custom_url ?? server.url };
  } catch (error) {
    if (AgentServerError.is(error)) return server;
    throw error;
  }
}

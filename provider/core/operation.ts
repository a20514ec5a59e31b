import type { ClientWith } from "../control-plane/name-lookup";
import type { EngineLog } from "../engine/log";
import { shortened } from "../engine/shorten";
import type { AgentServerError } from "../errors";
import { RetryBudget } from "../http/retry-budget";
import type { Waiting } from "../http/shared-request";
import type { Call } from "../resource/call";
import { formatDuration } from "../resource/duration";
import type { ControlPlaneAddress } from "../resource/managed";
import type { Operation } from "../resource/operation";
import { StatusLine } from "../resource/status-line";
import type { Session } from "../session";

/** Longest line in the engine's status column, and longest one that stays, in bytes. */
const [statusRoom, lineRoom] = [400, 16_000];

/** What an operation is made of. */
interface Course {
  session: Session;
  log: EngineLog;
  call: Call;
  /** Whether it may change something: the key is tried before. */
  writes: boolean;
  /** The control plane in state, if any. */
  known: ControlPlaneAddress | undefined;
  ownerId: string;
  /** The whole time that the operation has, in milliseconds, and where a program sets it. */
  timeoutMs: number;
  timeoutInput: string;
  redact: (text: string) => string;
  workingFolder: string;
}

/** What one call of the engine needs: the connection, the clock, and a voice in the resource's name. */
export async function operationFor(course: Course): Promise<Operation> {
  const { session, log, call, writes, known, ownerId, timeoutMs, timeoutInput, redact, workingFolder } =
    course;
  const { urn, signal } = call;
  session.refuseMove(known);
  const { baseUrl, tenantId } = session.connection;
  const status = new StatusLine(
    (line) => void log.status(urn, shortened([redact(line)], statusRoom)[0]!),
    session.clock,
  );
  const deadline = session.clock.now() + timeoutMs;
  const onRetry = (error: AgentServerError, pauseMs: number) =>
    status.show(retryText(error, pauseMs), error.message);
  // What is asked for all resources continues; this one does not wait longer than it has time.
  const untilThen = (deadline: number): Waiting => ({
    signal,
    onRetry: (error, pauseMs) => {
      if (session.clock.now() + pauseMs > deadline) throw error;
      onRetry(error, pauseMs);
    },
  });
  if (writes) await session.verifyAccess(untilThen(deadline));
  const dialect = await session.dialect(known, untilThen(deadline));
  const budget = new RetryBudget();
  const until = (deadline: number): Operation => {
    const client = session.client({ deadline, onRetry, redact, budget });
    const waiting = untilThen(deadline);
    const lookingUp: ClientWith = (onRetry) => session.client({ deadline, onRetry, redact, budget });
    return {
      client,
      findByName: (name, isFresh) => session.names.find(lookingUp, name, { isFresh, ...waiting }),
      findByAgent: (agentId, environment) => client.deployments.findByAgent(agentId, environment, signal),
      deploymentsAtStart: () => session.deploymentsAtStart(waiting),
      agentServer: (url) => session.agentServer(url, { deadline, onRetry, redact, budget, signal }),
      upload: (file) => session.upload(file),
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
      log: (severity, message) => void log.say(urn, severity, shortened([redact(message)], lineRoom)[0]!),
      redact,
      signal,
    };
  };
  return until(deadline);
}

/** When a request is sent again, and what the server asked for where that is longer. */
function retryText({ facts }: AgentServerError, pauseMs: number): string {
  const asked = facts.retryAfterMs ?? 0;
  const cut = asked > pauseMs ? ` (the server asked for ${formatDuration(asked)})` : "";
  return `tries again in ${Math.ceil(pauseMs / 1_000)}s${cut}`;
}

import type { Session } from "../../session";
import { secretsOf } from "../../control-plane/connection";
import type { ClientWith } from "../../control-plane/name-lookup";
import { RetryBudget } from "../../control-plane/retry-budget";
import { dialectOf, type Dialect } from "../../control-plane/dialects";
import { formatDuration, parseDuration } from "../../deployment/duration";
import { defaultRolloutTimeout } from "../../deployment/inputs";
import type { Operation } from "../../deployment/lifecycle";
import { ownerIdOf } from "../../deployment/owner-id";
import { StatusLine } from "../../deployment/rollout/status-line";
import { hiddenIn, inputsIn, type DeploymentState, type Props } from "../../deployment/state";
import { plainText } from "../../plain-text";
import { redactor } from "../../redact";
import { credentialsIn } from "../../repository/address-credentials";
import type { AgentServerError } from "../../errors";
import type { EngineLog } from "./engine-log";
import { shortened } from "./shorten";

type Deed = "create" | "update" | "delete" | "read";

/** Longest line in the engine's status column, and longest one that stays, in bytes. */
const [statusRoom, lineRoom] = [400, 16_000];

/** What one call of the engine needs: the connection, the clock, and a voice in the resource's name. */
export async function operationFor(
  session: Session,
  log: EngineLog,
  deed: Deed,
  props: { current: Props; wanted?: Props },
): Promise<Operation> {
  const state = props.current as Partial<DeploymentState>;
  const wanted = props.wanted ?? props.current;
  const { __urn: urn = "" } = hiddenIn(wanted);
  session.refuseMove(state.controlPlane);
  const { baseUrl, tenantId } = session.connection;
  const known = state.controlPlane?.tenantId || undefined;
  const redact = redactorFor(session, props.current, wanted);
  const status = new StatusLine(
    (line) => void log.status(urn, shortened([redact(line)], statusRoom)[0]!),
    session.clock,
  );
  const timeoutMs = timeoutOf(deed, wanted);
  const deadline = session.clock.now() + timeoutMs;
  const onRetry = (error: AgentServerError, pauseMs: number) =>
    status.show(retryText(error, pauseMs), error.message);
  // What is asked for all resources goes on; this one does not wait longer than it has time.
  const untilThen =
    (deadline: number): typeof onRetry =>
    (error, pauseMs) => {
      if (session.clock.now() + pauseMs > deadline) throw error;
      onRetry(error, pauseMs);
    };
  const onSharedRetry = untilThen(deadline);
  if (deed !== "read") await session.verifyAccess(onSharedRetry);
  const dialect = await session.dialect(state.controlPlane, onSharedRetry);
  const budget = new RetryBudget();
  const until = (deadline: number): Operation => {
    const client = session.client({ deadline, onRetry, redact, budget });
    const onSharedRetry = untilThen(deadline);
    const lookingUp: ClientWith = (onRetry) => session.client({ deadline, onRetry, redact, budget });
    return {
      client,
      findByName: (name, isFresh) => session.names.find(lookingUp, name, { isFresh, onRetry: onSharedRetry }),
      deploymentsAtStart: () => session.deploymentsAtStart(onSharedRetry),
      agentServer: (url) => session.agentServer(url, { deadline, onRetry, redact, budget }),
      until,
      clock: session.clock,
      dialect,
      controlPlane: { baseUrl, tenantId: tenantId ?? known ?? "", dialect: dialect.name },
      unconfirmedWorkspace: tenantId === undefined ? state.controlPlane?.tenantId : undefined,
      ownerId: ownerOfProps(wanted, props.current),
      deadline,
      timeoutMs,
      status,
      log: (severity, message) => void log.say(urn, severity, shortened([redact(message)], lineRoom)[0]!),
      redact,
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

/** The owner id of the resource: from its properties, else made from its URN. */
export function ownerOfProps(...candidates: Props[]): string {
  const known = candidates.map(({ ownerId }) => ownerId).find((ownerId) => typeof ownerId === "string");
  const { __urn: urn = "", __organization: organization, __backend: backend } = hiddenIn(candidates[0] ?? {});
  return known ?? ownerIdOf({ urn, organization, backend });
}

/** Hides every secret that these properties and the connection hold, and what would drive a terminal. */
export function redactorFor(session: Session, ...all: Props[]): (text: string) => string {
  const secrets = all.flatMap((props) => [
    ...Object.values(inputsIn(props).secrets ?? {}),
    ...(hiddenIn(props).__secretPaths ?? []).flatMap((path) => textsAt(props, path)),
    // Some people keep a token in a repository's address.
    ...textsAt(props, "sourceConfig.repoUrl").flatMap(credentialsIn),
  ]);
  let connectionSecrets: string[] = [];
  try {
    connectionSecrets = secretsOf(session.connection);
  } catch {
    // Without a connection there is no key to hide.
  }
  const redact = redactor([...secrets.filter((secret) => typeof secret === "string"), ...connectionSecrets]);
  // A second time, for one that a command to the terminal stood in the midst of.
  return (text) => redact(plainText(redact(text)));
}

/** Whether a path, or a group around it, was marked as secret by the program. */
export function secretPathsOf(...all: Props[]): (path: string) => boolean {
  const marked = all.flatMap((props) => hiddenIn(props).__secretPaths ?? []);
  return (path) =>
    marked.some((one) => path === one || path.startsWith(`${one}.`) || one.startsWith(`${path}.`));
}

/** The dialect that a resource's state names, else the configured one. */
export function dialectOfState(session: Session, props: Props): Dialect {
  return dialectOf((props as Partial<DeploymentState>).controlPlane?.dialect ?? session.configuredDialect);
}

function timeoutOf(deed: Deed, props: Props): number {
  const custom = deed === "read" ? undefined : hiddenIn(props).__timeouts?.[deed];
  const text = inputsIn(props).rollout?.timeout ?? custom ?? defaultRolloutTimeout;
  return parseDuration(text) ?? parseDuration(defaultRolloutTimeout)!;
}

/** The texts below a path of keys joined by dots; keys may hold dots themselves. */
function textsAt(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (path === key) return textsIn(item);
    return path.startsWith(`${key}.`) ? textsAt(item, path.slice(key.length + 1)) : [];
  });
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

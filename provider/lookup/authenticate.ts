import type { Clock } from "../clock";
import type { ControlPlaneClient } from "../control-plane/client";
import { AgentServerError } from "../errors";
import { duration, formatDuration, parseDuration } from "../text/duration";
import { poll } from "../resource/poll";
import { plainText } from "../text/plain-text";
import type { AuthenticateAnswer } from "../../wire";

/** Who wants what from which provider. */
export interface AuthenticationWish {
  provider: string;
  scopes: string[];
  userId?: string;
  agentId?: string;
}

/** How long to wait for a user, and how to say that. */
export interface AuthenticationWait {
  clock: Clock;
  /** In milliseconds; 0 not to wait. */
  waitMs: number;
  /** Says where the user has to go; called again where that place is gone and there is another one. */
  onPending: (url: string) => void;
}

/** How long the server holds an answer back, in seconds: shorter than the longest time for an answer. */
const heldSeconds = 20;
/** Between two looks, in milliseconds. */
const pauseMs = 2_000;
/** Between two addresses for the user, in milliseconds: a server may have a new one whenever it is asked. */
const sameAddressMs = 60_000;

/**
 * A token of a user with a provider (`POST /v2/auth/authenticate`), which the user may have to consent to first.
 * @returns nothing where the user has not consented, and nobody is to wait for that
 * @throws AgentServerError `timeout` if the user has not consented in time
 */
export async function authenticate(
  { authentication }: ControlPlaneClient,
  { provider, scopes, userId, agentId }: AuthenticationWish,
  { clock, waitMs, onPending }: AuthenticationWait,
): Promise<string | undefined> {
  const body = {
    provider,
    scopes,
    ...(userId !== undefined && { user_id: userId }),
    ...(agentId !== undefined && { agent_id: agentId }),
  };
  const deadline = clock.now() + waitMs;
  const answer = await authentication.authenticate(body);
  if (isCompleted(answer)) return answer.token;
  let url = addressOf(answer) ?? noAddress(answer, provider);
  let id = answer.auth_id ?? undefined;
  let saidAt = clock.now();
  onPending(url);
  if (waitMs <= 0) return undefined;
  const look = async () => {
    const left = Math.ceil((deadline - clock.now()) / 1_000);
    const seconds = Math.max(0, Math.min(heldSeconds, left));
    const waited = id === undefined ? undefined : await authentication.wait(id, seconds);
    if (waited && isCompleted(waited)) return waited.token;
    if (waited?.status === "pending" || waited?.status === "timeout") return undefined;
    const again = await authentication.authenticate(body);
    if (isCompleted(again)) return again.token;
    const other = addressOf(again);
    if (other === undefined || other === url || clock.now() - saidAt < sameAddressMs) return undefined;
    // What the user was told to visit has run out.
    [url, id, saidAt] = [other, again.auth_id ?? undefined, clock.now()];
    onPending(url);
    return undefined;
  };
  const token = await poll({ clock, deadline: { at: deadline } }, { after: () => pauseMs }, look);
  if (token !== undefined) return token;
  throw new AgentServerError(
    "timeout",
    `Nobody has given the provider "${provider}" their consent within ${formatDuration(waitMs)}. Visit ${url} and run this again, or give it a longer \`timeout\`.`,
  );
}

/** A time to wait for consent, in milliseconds. @throws AgentServerError `bad_configuration` for a text that is none */
export function consentWait(timeout: string): number {
  if (timeout === "0s") return 0;
  const { error } = duration.safeParse(timeout);
  if (error)
    throw new AgentServerError(
      "bad_configuration",
      `timeout ${error.issues[0]!.message}; "0s" does not wait.`,
    );
  return parseDuration(timeout)!;
}

function isCompleted<Answer extends { status: string; token?: string | null | undefined }>(
  answer: Answer,
): answer is Answer & { token: string } {
  return answer.status === "completed" && Boolean(answer.token);
}

/** Where the user has to go. */
function addressOf({ url }: AuthenticateAnswer): string | undefined {
  return url && /^https?:\/\//.test(url) && URL.canParse(url) ? plainText(url) : undefined;
}

function noAddress({ status }: AuthenticateAnswer, provider: string): never {
  if (status === "connection_required")
    throw new AgentServerError(
      "bad_configuration",
      `The provider "${provider}" needs the consent of a user, and none is named. Give \`userId\`, or connect a token to the agent.`,
    );
  throw new AgentServerError(
    "unexpected_answer",
    `POST /v2/auth/authenticate answers the status "${plainText(status).slice(0, 40)}" for the provider "${provider}", with neither a token nor an address that a user could visit.`,
  );
}

import type { Clock } from "../clock";
import type { ControlPlaneClient } from "../control-plane/client";
import { AgentServerError } from "../errors";
import { formatDuration } from "../text/duration";
import { poll } from "../resource/poll";
import { plainText } from "../text/plain-text";
import type { AuthenticateAnswer } from "../../wire";

/** A request to authenticate a user with a provider. */
export interface AuthenticationRequest {
  provider: string;
  scopes: string[];
  userId?: string;
  agentId?: string;
}

/** Options for waiting for a user's consent. */
export interface AuthenticationWait {
  clock: Clock;
  /** Maximum time to wait, in milliseconds; 0 disables waiting. */
  waitMs: number;
  /** Reports the URL for the user to visit. Called again if that URL is replaced. */
  onPending: (url: string) => void;
  signal?: AbortSignal | undefined;
}

/** Time that the server waits before it responds, in seconds. It is less than the maximum time for a response. */
const heldSeconds = 20;
/** Pause between two requests, in milliseconds. */
const pauseMs = 2_000;
/**
 * Minimum time between two URLs for the user, in milliseconds, because a server may return a new URL for each request.
 */
const sameAddressMs = 60_000;

/**
 * Returns a user's token for a provider (`POST /v2/auth/authenticate`). The user may have to consent first.
 * @returns `undefined` if the user has not consented and the function does not wait
 * @throws AgentServerError `timeout` if the user has not consented in time
 */
export async function authenticate(
  { authentication }: ControlPlaneClient,
  { provider, scopes, userId, agentId }: AuthenticationRequest,
  { clock, waitMs, onPending, signal }: AuthenticationWait,
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
    // The URL that the user received has expired.
    [url, id, saidAt] = [other, again.auth_id ?? undefined, clock.now()];
    onPending(url);
    return undefined;
  };
  const token = await poll({ clock, deadline: { at: deadline }, signal }, { after: () => pauseMs }, look);
  if (token !== undefined) return token;
  throw new AgentServerError(
    "timeout",
    `No one gave consent for the provider "${provider}" within ${formatDuration(waitMs)}. Visit ${url} and run the command again, or set a longer \`timeout\`.`,
  );
}

function isCompleted<Answer extends { status: string; token?: string | null | undefined }>(
  answer: Answer,
): answer is Answer & { token: string } {
  return answer.status === "completed" && Boolean(answer.token);
}

/** Returns the URL for the user to visit. */
function addressOf({ url }: AuthenticateAnswer): string | undefined {
  return url && /^https?:\/\//.test(url) && URL.canParse(url) ? plainText(url) : undefined;
}

function noAddress({ status }: AuthenticateAnswer, provider: string): never {
  if (status === "connection_required")
    throw new AgentServerError(
      "bad_configuration",
      `The provider "${provider}" requires the consent of a user, but no user is specified. Set \`userId\`, or connect a token to the agent.`,
    );
  throw new AgentServerError(
    "unexpected_response",
    `POST /v2/auth/authenticate returned the status "${plainText(status).slice(0, 40)}" for the provider "${provider}", with neither a token nor a URL for the user to visit.`,
  );
}

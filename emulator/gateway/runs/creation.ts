import type { IncomingMessage } from "node:http";
import type { InternalApi } from "../request/internal-api";
import type { AgentClient } from "../request/agent-client";
import { Refusal } from "../request/refusal";
import { withoutNulls } from "../schemas";
import type { RunCreate } from "./schemas";

/** Returns the body of a request to create a run, in the format that the runtime accepts. */
export function runBody(body: Partial<RunCreate>, { documented }: Pick<InternalApi, "documented">): object {
  // Feedback keys would make the run fail, because the runtime would call a service to which it has no access.
  const { feedback_keys: _, checkpoint, context, config, ...rest } = body;
  const configurable = config?.configurable;
  requireOneConfiguration(body);
  return {
    ...withoutNulls(rest, "input"),
    ...(checkpoint ? { checkpoint: withoutNulls(checkpoint) } : {}),
    ...(context ? { context } : {}),
    ...(config ? { config } : {}),
    // The context and `config.configurable` are two names for the same values, but the JavaScript runtime supports only
    // one.
    ...(!documented && isFilled(context) ? { config: { ...config, configurable: context } } : {}),
    ...(!documented && isFilled(configurable) ? { context: configurable } : {}),
  };
}

/**
 * Rejects a configuration that is specified under both names.
 *
 * @throws Refusal 400
 */
export function requireOneConfiguration({
  context,
  config,
}: Pick<Partial<RunCreate>, "context" | "config">): void {
  if (isFilled(context) && isFilled(config?.configurable))
    throw new Refusal(
      400,
      "Specify either `context` or `config.configurable`, not both; `context` is the newer one.",
    );
}

/** True for an object with at least one entry. */
export function isFilled(values: object | undefined): boolean {
  return values !== undefined && Object.keys(values).length > 0;
}

/** Returns the body of a run whose caller waits for the final state. */
export function waitedBody(body: RunCreate, internalApi: Pick<InternalApi, "documented">): object {
  return { ...runBody(body, internalApi), stream_mode: ["values"] };
}

/**
 * Returns a header with the path where the official clients can resume a response after a broken connection. As with
 * `Content-Location`, clients append the path to the URL of the deployment, so the path is relative to that URL.
 */
export function resumedAt(run: string, way: "stream" | "join"): { location: string } {
  return { location: `${run}/${way}` };
}

/** Returns the path of the run that a response of the runtime belongs to. */
export function runOf(answer: IncomingMessage): string {
  return String(answer.headers["content-location"]);
}

/** Cancels a run when its caller disconnects, if the caller requested this. */
export function cancelWithCaller(
  context: { client: AgentClient },
  signal: AbortSignal,
  place: string,
  wanted: boolean,
): void {
  if (!wanted) return;
  const cancel = () =>
    void context.client
      .until(new AbortController().signal)
      .send("POST", `${place}/cancel`)
      .then((answer) => answer.resume())
      .catch(() => undefined);
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
}

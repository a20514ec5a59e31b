import type { InternalApiAddress } from "../rollout/rollout";

/** Destination of a request to a deployment's URL. */
export type GatewayRoute =
  | { kind: "serving"; origin: string; internalApi?: InternalApiAddress }
  /** No agent responds now; `detail` states the reason. `soon` is set if an agent is about to serve requests. */
  | { kind: "unavailable"; detail: string; soon?: boolean }
  /** The API key is missing or belongs to another organization. */
  | { kind: "forbidden"; status: 401 | 403; detail: string }
  | { kind: "unknown"; detail: string };

/**
 * Finds the agent server behind a deployment for the caller's `X-Api-Key`. With `open` the request needs no key, so a
 * missing or foreign one is not a reason to reject it.
 */
export type GatewayLookup = (
  deploymentId: string,
  apiKey: string | undefined,
  open?: boolean,
) => GatewayRoute;

/** Present for requests to the own origin of a deployment, whose URL is then rewritten to the path form. */
export interface OwnOrigin {
  /** True if the browser that sends the request has signed in at that origin. */
  signedIn: boolean;
}

/** Cookie that opens the own origin of a deployment to a browser. */
export const sessionCookie = "agentserver_session";

/** Path below which every deployment's agent server is served: `{base}/agents/{deployment_id}`. */
export const agentsPath = "/agents";

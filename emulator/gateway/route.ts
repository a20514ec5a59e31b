import type { InternalApiAddress } from "../rollout/rollout";

/** Destination of a request to the URL of a deployment. */
export type GatewayRoute =
  | { kind: "serving"; origin: string; internalApi?: InternalApiAddress }
  /**
   * No agent responds at the moment; `detail` contains the reason. `soon` is true if an agent is about to serve
   * requests.
   */
  | { kind: "unavailable"; detail: string; soon?: boolean }
  /** The API key is missing or belongs to another organization. */
  | { kind: "forbidden"; status: 401 | 403; detail: string }
  | { kind: "unknown"; detail: string };

/**
 * Finds the agent server of a deployment for the caller's `X-Api-Key`. With `open`, the request does not require a key,
 * so it is not rejected if the key is missing or belongs to another organization.
 */
export type GatewayLookup = (
  deploymentId: string,
  apiKey: string | undefined,
  open?: boolean,
) => GatewayRoute;

/**
 * Present for requests to a deployment's own origin. The URL of such a request is rewritten to the path of the
 * deployment.
 */
export interface OwnOrigin {
  /** True if the browser that sent the request has signed in at that origin. */
  signedIn: boolean;
}

/** Cookie that gives a browser access to a deployment's own origin. */
export const sessionCookie = "agentserver_session";

/** Path prefix for the agent servers of all deployments: `{base}/agents/{deployment_id}`. */
export const agentsPath = "/agents";

/** Where a request to a deployment's URL leads. */
export type GatewayRoute =
  | { kind: "serving"; origin: string }
  /** No agent answers now; `detail` says why. */
  | { kind: "unavailable"; detail: string }
  /** The API key is missing or belongs to another organization. */
  | { kind: "forbidden"; status: 401 | 403; detail: string }
  | { kind: "unknown"; detail: string };

/** Finds the agent server behind a deployment for the caller's `X-Api-Key`. */
export type GatewayLookup = (deploymentId: string, apiKey: string | undefined) => GatewayRoute;

/** Path under which every deployment's agent server is reached: `{base}/agents/{deployment_id}`. */
export const agentsPath = "/agents";

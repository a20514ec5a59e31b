import type { InternalApiAddress } from "./rollout";

/** Returns the headers that an agent server requires for every request: its token, if it has an internal API. */
export function internalApiHeaders(
  internalApi: Pick<InternalApiAddress, "token"> | undefined,
): Record<string, string> {
  return internalApi ? { [internalApiTokenHeader]: internalApi.token } : {};
}

export const internalApiTokenHeader = "x-internal-api-token";

/**
 * Header that identifies a run of a cron. Contains the ID of the cron, and the time at which the run was due, in
 * milliseconds since 1970.
 */
export const cronDeliveryHeader = "x-cron-delivery";

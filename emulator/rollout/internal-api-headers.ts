import type { Backstage } from "./rollout";

/** Returns the headers that an agent server requires on every request: its token, if it has a backstage. */
export function backstageHeaders(backstage: Pick<Backstage, "token"> | undefined): Record<string, string> {
  return backstage ? { [backstageTokenHeader]: backstage.token } : {};
}

export const backstageTokenHeader = "x-backstage-token";

/** Identity of a cron's run: the id of the cron and the time at which it was due, in milliseconds since 1970. */
export const cronDeliveryHeader = "x-backstage-cron";

import type { Backstage } from "./rollout";

/** What an agent server wants to see in every request: where it has a backstage, its token. */
export function backstageHeaders(backstage: Pick<Backstage, "token"> | undefined): Record<string, string> {
  return backstage ? { [backstageTokenHeader]: backstage.token } : {};
}

export const backstageTokenHeader = "x-backstage-token";

/** Identity of a cron's run: the id of the cron and the time at which it was due, in milliseconds since 1970. */
export const cronDeliveryHeader = "x-backstage-cron";

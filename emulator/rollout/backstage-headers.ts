import type { Backstage } from "./rollout";

/** What an agent server wants to see in every request: where it has a backstage, its token. */
export function backstageHeaders(backstage: Pick<Backstage, "token"> | undefined): Record<string, string> {
  return backstage ? { [backstageTokenHeader]: backstage.token } : {};
}

export const backstageTokenHeader = "x-backstage-token";

import type { DeploymentCode } from "./plan/reasons";

const listing: [string, DeploymentCode][] = [
  ["changes along with it", "along"],
  ["needs a new revision", "revision"],
  ["patched without a new revision", "patch"],
  ["must be what the server chose, for it cannot be changed in place", "confirm"],
  ["kept in state, nothing is sent", "state"],
];

/** The words of the first releases, which wrote no codes; these never change. */
export const firstWords: readonly [string, DeploymentCode][] = [
  ["is replaced, deleted first, with its threads, assistants, crons and store", "replace"],
  ["may be replaced, not known yet", "replace?"],
  ["needs a new revision: the last rollout failed", "after-failure"],
  ["goes on waiting for the rollout that had not settled", "resumes-wait"],
  ["changed secrets take effect at the next revision", "secrets-later"],
  ["keeps the control plane's new address", "new-address"],
  ...listing.map(([words, code]): [string, DeploymentCode] => [
    `${words}, value not known yet`,
    `${code}?` as DeploymentCode,
  ]),
  ...listing,
];

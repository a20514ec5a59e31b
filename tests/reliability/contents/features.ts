/** Behavior that the histories cover as soon as the provider has it. */
export const features = {
  /** Aliases, parents and renamed projects keep every id. */
  rename: true,
  /** Refresh and destroy refuse while another control plane is configured. */
  otherControlPlane: true,
  /** Threads and crons have `adopt`. */
  adoptEverywhere: true,
  /** Refresh, update and destroy remove duplicate crons. */
  duplicateCrons: true,
  /** `context: {}` and `config: {}` clear what is on the server. */
  emptyMaps: true,
  /** A `ttl` or `index` that differs is sent although the value is equal. */
  unreadableFields: true,
  /** Store items that others wrote are kept in updates. */
  itemsOfOthers: true,
  /** A cron keeps its promises in every history. */
  crons: true,
  /** A thread keeps its promises in every history. */
  threads: true,
  /** Items of a namespace keep their promises in every history. */
  storeItems: true,
};

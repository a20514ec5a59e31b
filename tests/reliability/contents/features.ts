/** Behavior that the histories cover as soon as the provider has it. */
export const features = {
  /** Aliases, parents and renamed projects keep every id. */
  rename: false,
  /** Refresh and destroy refuse while another control plane is configured. */
  otherControlPlane: false,
  /** Threads and crons have `adopt`. */
  adoptEverywhere: false,
  /** Refresh, update and destroy remove duplicate crons. */
  duplicateCrons: false,
  /** `context: {}` and `config: {}` clear what is on the server. */
  emptyMaps: false,
  /** A `ttl` or `index` that differs is sent although the value is equal. */
  unreadableFields: false,
  /** Store items that others wrote are kept in updates. */
  itemsOfOthers: false,
  /** A cron keeps its promises in every history. */
  crons: false,
  /** A thread keeps its promises in every history. */
  threads: false,
  /** Items of a namespace keep their promises in every history. */
  storeItems: false,
};

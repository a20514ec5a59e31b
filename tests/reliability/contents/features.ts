/** Behavior that the histories cover as soon as the provider has it. */
export const features = {
  /** A `ttl` or `index` of a store item that differs is sent although the value is equal. */
  unreadableFields: false,
  /** Store items that others wrote are kept in updates. */
  itemsOfOthers: false,
  /** Items of a namespace keep their promises in every history. */
  storeItems: false,
};

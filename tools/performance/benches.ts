/** A benchmark, in the order in which they run and are written about. */
export interface Bench {
  name: string;
  title: string;
  /** What is measured, and against what. */
  about: string;
}

/** All benchmarks; each is `bench/<name>/main.ts`. */
export const benches: readonly Bench[] = [
  {
    name: "waiting",
    title: "Waiting for a rollout",
    about:
      "Looks cost requests, and time between looks is lag: the product of both is what a schedule can be judged by. The floor is the least product that any schedule can have for these lengths (`provider/control-plane/polling/schedule.ts` has the derivation). Ours is the provider's own code in virtual time, with everything that it asks: the first look at once, and one question for the past. Each row is the mean of thousands of seeded rollouts.",
  },
  {
    name: "fleet",
    title: "Stacks of many deployments",
    about:
      "The real engine, a program of so many deployments, a local folder as backend and a local control plane that simulates rollouts; beside it, by turns, a dynamic provider that does nothing with the same properties and the same state.",
  },
  {
    name: "start",
    title: "From nothing to an answer",
    about: "What the commands of this repository add to what they call.",
  },
  {
    name: "local-folder",
    title: "Folders as sources",
    about: "A folder is read as a preview does it, by turns with merely hashing each of its files.",
  },
  {
    name: "store-items",
    title: "Store items",
    about: "Items of a store are put by one `StoreItems`, by turns with plain requests, eight at a time.",
  },
  {
    name: "agents",
    title: "Agents of both languages",
    about: "How long the local control plane needs for an agent's environment and start.",
  },
  {
    name: "schemas",
    title: "Schemas of graphs",
    about:
      "The local control plane reads the schemas of JavaScript agents from their types, in a process of its own. One graph and ten graphs of one file are read alternately.",
  },
  {
    name: "control-plane-load",
    title: "The local control plane under load",
    about:
      "Clients that poll and writers that change, by turns with a bare route of the same HTTP server: compare the two rows.",
  },
];

/** Benchmark that measures one aspect of performance. */
export interface Bench {
  name: string;
  title: string;
  /** Description of the measurement, and its baseline. */
  about: string;
}

/** Benchmarks, in the order in which they are run and documented. Each is implemented in `bench/<name>/main.ts`. */
export const benches: readonly Bench[] = [
  {
    name: "waiting",
    title: "Waiting for a rollout",
    about:
      "Each poll is a request, and the time between polls delays the result. The product of the number of polls and the delay measures the quality of a schedule. The lower bound is the smallest product that any schedule can achieve if it knows only the distribution of the durations (`provider/control-plane/polling/schedule.ts` contains the derivation). A schedule that also uses the durations of the phases can be below this bound. The benchmark runs the code of the provider in virtual time and counts all requests, including the first poll and the query for past rollouts. Each row is the mean of many simulated rollouts with a fixed seed.",
  },
  {
    name: "fleet",
    title: "Stacks with many deployments",
    about:
      "The benchmark uses the real engine, a program with many deployments, a local folder as the backend, and a local control plane that simulates rollouts. The benchmark alternates between the provider and an empty provider: a dynamic provider that does nothing, with the same properties and state. `100:8` means 100 deployments with `--parallel=8`.",
  },
  {
    name: "plugin",
    title: "The provider as a plugin",
    about:
      "The benchmark previews a stack without changes. It compares, in all orders, the provider plugin with an empty plugin, which has the same schema, accepts all inputs, and finds no changes. Another stack with the same deployments uses the dynamic provider. The CPU time is that of the engine and all of its processes.",
  },
  {
    name: "start",
    title: "Commands of the repository",
    about:
      "The benchmark measures the overhead of the `npm` commands in this repository, compared with the commands that they run.",
  },
  {
    name: "local-folder",
    title: "Local folders",
    about:
      "The benchmark compares reading a folder for a preview with hashing each of its files. It alternates between the two.",
  },
  {
    name: "manifests",
    title: "Manifests with many fields",
    about:
      "The benchmark compares reading a manifest, including all checks, with running only the YAML parser, without its search for duplicate fields. It alternates between the two. A document with more than 10,000 fields is rejected.",
  },
  {
    name: "store-items",
    title: "Store items",
    about:
      "The benchmark writes items with one `StoreItems` resource and with plain requests, eight at a time. It alternates between the two.",
  },
  {
    name: "agents",
    title: "Agents by language",
    about:
      "The benchmark measures the time that the local control plane needs to install and start an agent.",
  },
  {
    name: "dev",
    title: "Changes with `agentserver dev`",
    about:
      "The benchmark saves a change to an agent and measures the time until an answer shows the change. It alternates with a rollout of the same folder by the same code, but without the API, the upload, and the transfer of the agent's data.",
  },
  {
    name: "schemas",
    title: "Schemas of graphs",
    about:
      "The local control plane derives the schemas of JavaScript agents from their types in a separate process. The benchmark alternates between one graph and ten graphs in the same file.",
  },
  {
    name: "crons",
    title: "Crons due at the same time",
    about:
      "The local control plane starts the runs of crons that are due in the same second. The benchmark alternates between these crons and the same number of plain run requests, sent all at once.",
  },
  {
    name: "control-plane-load",
    title: "Load on the local control plane",
    about:
      "The benchmark sends requests from polling and writing clients to the control plane and to a bare route of the same HTTP server. It alternates between the two.",
  },
  {
    name: "page-polling",
    title: "Memory during page polling",
    about:
      "The web console polls its data every second. The benchmark sends the requests of one hour in sequence and measures the memory of the control plane after garbage collection.",
  },
];

/** Converts the events of one run to the events that its caller requested, in the format that clients expect. */
export class RunEvents {
  /** Last state that was sent, by kind of event, such as `values` or `values|<subgraph>`. */
  #states = new Map();

  /** @param modes - Stream modes of the run. */
  constructor(modes) {
    this.modes = modes;
  }

  /** Returns the data to send for an event, or `undefined` if the event is not sent. */
  dataOf(event, data) {
    const [mode] = event.split("|");
    // If subgraphs are streamed too, the runtime announces every checkpoint.
    if (mode === "checkpoints" && !this.modes.includes("checkpoints")) return undefined;
    if (mode !== "values") return data;
    if (!isInterrupt(data)) {
      this.#states.set(event, data);
      return data;
    }
    // A run that stops before or after a node has no question to send, and its state has already been sent.
    if (data.__interrupt__.length === 0) return undefined;
    return { ...this.#states.get(event), ...data };
  }
}

function isInterrupt(data) {
  return Array.isArray(data?.__interrupt__) && Object.keys(data).length === 1;
}

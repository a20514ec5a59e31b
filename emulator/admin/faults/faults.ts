import { pathMatches } from "./pattern";

/** Kind of fault. "After" means that the request is carried out nevertheless. */
export type FaultKind =
  /** Another answer. `retryAfter` is sent as `Retry-After`. */
  | {
      kind: "status";
      status: number;
      detail?: string;
      body?: unknown;
      retryAfter?: number | string;
      when?: "before" | "after";
    }
  /** The answer comes late; the request is carried out after the delay. */
  | { kind: "delay"; ms: number }
  /** The connection is reset. */
  | { kind: "reset"; when: "before" | "after" }
  /** The request is carried out, but its answer breaks off half way. */
  | { kind: "truncate" };

/** A fault and the requests it strikes. */
export type Fault = FaultKind & {
  method?: string;
  /** Path pattern such as `/v2/deployments/:id`; all control plane paths if missing. */
  path?: string;
  /** For how many matching requests. @default 1 */
  times?: number;
};

/** Faults that are still to come. The oldest one that matches strikes, one for each request. */
export class Faults {
  #standing: { fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.#standing.push({ fault, left: fault.times ?? 1 });
  }

  take(method: string, path: string): Fault | undefined {
    const found = this.#standing.find(
      ({ fault }) =>
        (!fault.method || fault.method.toUpperCase() === method) &&
        (!fault.path || pathMatches(fault.path, path)),
    );
    if (!found) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#standing = this.#standing.filter((other) => other !== found);
    return found.fault;
  }

  reset(): void {
    this.#standing = [];
  }
}

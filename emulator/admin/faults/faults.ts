import { pathMatches } from "./pattern";

/** Kind of fault. "After" means that the request is processed before the fault occurs. */
export type FaultKind =
  /** A response that replaces the actual response. `retryAfter` is sent as `Retry-After`. */
  | {
      kind: "status";
      status: number;
      detail?: string;
      body?: unknown;
      retryAfter?: number | string;
      when?: "before" | "after";
    }
  /** A delayed response; the request is processed after the delay. */
  | { kind: "delay"; ms: number }
  /** A connection reset, either before or after the request is processed. */
  | { kind: "reset"; when: "before" | "after" }
  /** A truncated response to a request that is processed completely. */
  | { kind: "truncate" };

/** A fault and the requests that it applies to. */
export type Fault = FaultKind & {
  method?: string;
  /** Path pattern such as `/v2/deployments/:id`. Matches all control plane paths if omitted. */
  path?: string;
  /** Number of matching requests that the fault applies to. @default 1 */
  times?: number;
};

/** Pending faults. Each matching request consumes the oldest matching fault. */
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

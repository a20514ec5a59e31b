import type { Clock } from "../clock";
import type { RolloutRunner } from "../rollout/rollout";
import type { IntegrationSeed } from "../control-plane/integrations/seed";
import type { Organization } from "../control-plane/access/organizations";
import type { DialectName } from "../control-plane/dialects";
import type { Quirks } from "../control-plane/quirks/quirks";
import { resolve } from "node:path";

/** Options of a local control plane. */
export interface ControlPlaneOptions {
  /** @default a free port; a state folder keeps its port and reuses it */
  port?: number;
  /** Name or address to listen on; an IPv6 address without brackets. @default "127.0.0.1" */
  host?: string;
  /** Folder of all persistent data; a relative path is resolved at the start. Without one, all data is in memory. */
  state?: string;
  /** `simulated`: statuses only. `real`: builds and runs agent servers. @default "simulated" */
  rollout?: "simulated" | "real";
  /** Runner of rollouts, instead of the one that `rollout` selects. */
  runner?: RolloutRunner;
  /** Seconds that a simulated rollout stays in each status. @default 1 */
  secondsPerStatus?: number;
  /** @default one with a key and a tenant that are created once and kept in the state folder */
  organizations?: Organization[];
  /** Shorthand for one organization with this key and `tenantId`. */
  apiKey?: string;
  tenantId?: string;
  /** @default "interface" */
  dialect?: DialectName;
  /** Seconds that deleted deployments stay readable as AWAITING_DELETE and keep their names. @default 0 */
  lingerSeconds?: number;
  /** Seconds that they stay readable after that, as AWAITING_FINAL_DELETE. @default 0 */
  finalLingerSeconds?: number;
  /** Quirks of the real service to reproduce. @default none */
  quirks?: Partial<Quirks>;
  /** True if the admin API is served over HTTP, under `/admin`. @default false */
  admin?: boolean;
  /** Only key that is accepted by the admin API. @default the API keys of the first organization */
  adminKey?: string;
  /**
   * Accepted names in the `Host` header, in addition to `localhost`, loopback addresses, `host` and the address at
   * which a request arrives. Requests for other names are rejected with 421. @default none
   */
  allowedHosts?: readonly string[];
  /**
   * Origins of public web pages, such as a hosted studio, whose browsers may reach the agents on this machine (private
   * network access); the pages still need a key. @default none
   */
  allowedOrigins?: readonly string[];
  /**
   * Polling interval for the branches of deployments with `build_on_push`, in seconds; 0 disables polling.
   * @default 5 with real rollouts, else 0
   */
  pushSeconds?: number;
  /** Integrations that exist from the start. */
  integrations?: IntegrationSeed[];
  /** @default the machine's time */
  clock?: Clock;
  /** Called with faults of the control plane itself. @default silence */
  onFault?: (error: unknown) => void;
}

/**
 * Returns the options with absolute paths: agents have other working folders, and this process may change its
 * own.
 */
export function withAbsolutePaths(options: ControlPlaneOptions): ControlPlaneOptions {
  const { state, integrations } = options;
  if (state === "") throw new Error("`state` is empty. Specify a folder, or omit the option.");
  return {
    ...options,
    ...(state !== undefined && { state: resolve(state) }),
    ...(integrations && {
      integrations: integrations.map((seed) =>
        seed.folder === undefined ? seed : { ...seed, folder: resolve(seed.folder) },
      ),
    }),
  };
}

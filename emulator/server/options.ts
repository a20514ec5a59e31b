import type { Clock } from "../clock";
import type { RolloutRunner } from "../rollout/rollout";
import type { IntegrationSeed } from "../control-plane/integrations/seed";
import type { Organization } from "../control-plane/access/organizations";
import type { DialectName } from "../control-plane/dialects";
import type { Quirks } from "../control-plane/quirks/quirks";
import { resolve } from "node:path";

/** Options of a local control plane. */
export interface ControlPlaneOptions {
  /**
   * Port to listen on.
   * @default the state folder's previous port, or a free port
   */
  port?: number;
  /**
   * Name or address to listen on. An IPv6 address is written without brackets.
   * @default "127.0.0.1"
   */
  host?: string;
  /** Folder for all persistent data. A relative path is resolved at startup. If omitted, all data is in memory. */
  state?: string;
  /**
   * Type of rollouts: `simulated` only changes statuses, `real` builds and runs agent servers.
   * @default "simulated"
   */
  rollout?: "simulated" | "real";
  /** Runner for rollouts, instead of the one that `rollout` selects. */
  runner?: RolloutRunner;
  /**
   * Number of seconds that a simulated rollout stays in each status.
   * @default 1
   */
  secondsPerStatus?: number;
  /**
   * Organizations, with their keys and workspaces.
   * @default one organization with a generated key and tenant, which are stored in the state folder
   */
  organizations?: Organization[];
  /** Shorthand for a single organization with this key and `tenantId`. */
  apiKey?: string;
  tenantId?: string;
  /**
   * Dialect of the control plane's API.
   * @default "interface"
   */
  dialect?: DialectName;
  /**
   * Number of seconds for which deleted deployments remain readable as `AWAITING_DELETE` and keep their names.
   * @default 0
   */
  lingerSeconds?: number;
  /**
   * Number of seconds for which deleted deployments then remain readable as `AWAITING_FINAL_DELETE`.
   * @default 0
   */
  finalLingerSeconds?: number;
  /**
   * Quirks of the public service to reproduce.
   * @default none
   */
  quirks?: Partial<Quirks>;
  /**
   * True to serve the admin API over HTTP, under `/admin`.
   * @default false
   */
  admin?: boolean;
  /**
   * The only key that the admin API accepts.
   * @default the API keys of the first organization
   */
  adminKey?: string;
  /**
   * Accepted names in the `Host` header, in addition to `localhost`, loopback addresses, `host`, and the address that a
   * request was sent to. Requests with any other name are rejected with 421.
   * @default none
   */
  allowedHosts?: readonly string[];
  /**
   * Origins of public web pages, such as a hosted studio, that browsers may allow to access the agents on this machine
   * (private network access). The pages still need a key.
   * @default none
   */
  allowedOrigins?: readonly string[];
  /**
   * Polling interval in seconds for the branches of deployments with `build_on_push`. If 0, polling is disabled.
   * @default 5 with real rollouts, otherwise 0
   */
  pushSeconds?: number;
  /** Integrations that exist when the control plane starts. */
  integrations?: IntegrationSeed[];
  /**
   * Clock of the control plane.
   * @default the system clock
   */
  clock?: Clock;
  /**
   * Called with internal errors of the control plane.
   * @default errors are ignored
   */
  onFault?: (error: unknown) => void;
}

/**
 * Returns the options with absolute paths, because agents have different working directories, and this process may
 * change its own.
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

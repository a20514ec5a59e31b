import { deploymentKind } from "../../provider/deployment/kind";
import type { EngineLog } from "../../provider/engine/log";
import { DynamicHost } from "../../provider/hosts/dynamic/host";
import type { RepositoryReader } from "../../provider/repository/reader";
import type { SessionOptions } from "../../provider/session/session";
import { SessionPool } from "../../provider/session/session-pool";

/** Dependencies of a provider process. */
export interface Surroundings extends Pick<SessionOptions, "env" | "clock" | "answerTimeoutMs"> {
  /** A constant by default. */
  random?: () => number;
  log: EngineLog;
  repositories?: RepositoryReader;
  maxWaitMs?: number;
}

/** Returns the provider of deployments as in a new process. */
export function deploymentHost(surroundings: Surroundings): DynamicHost {
  const { log, repositories, maxWaitMs, random = () => 0.5, ...options } = surroundings;
  const sessions = new SessionPool({ random, ...options });
  return new DynamicHost(deploymentKind(repositories), { argv: [], log, maxWaitMs, sessions });
}

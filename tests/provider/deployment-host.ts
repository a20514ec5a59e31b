import { deploymentKind } from "../../provider/deployment/kind";
import type { EngineLog } from "../../provider/engine/log";
import type { RepositoryReader } from "../../provider/repository/reader";
import type { SessionOptions } from "../../provider/session/session";
import { SessionPool } from "../../provider/session/session-pool";
import type { Provider } from "./stack";
import { providerOf } from "./test-host";

/** Dependencies of a provider process. */
export interface Surroundings extends Pick<SessionOptions, "env" | "clock" | "answerTimeoutMs"> {
  /** Source of random numbers. Defaults to a constant. */
  random?: () => number;
  log: EngineLog;
  repositories?: RepositoryReader;
  maxWaitMs?: number;
}

/** Returns a provider of deployments that has no data from other providers, as if in a new process. */
export function deploymentHost(surroundings: Surroundings): Provider {
  const { log, repositories, maxWaitMs, random = () => 0.5, ...options } = surroundings;
  const sessions = new SessionPool({ random, ...options });
  return providerOf(deploymentKind(repositories), { log, maxWaitMs, sessions });
}

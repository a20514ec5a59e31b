import { deploymentKind } from "../../provider/deployment/kind";
import type { EngineLog } from "../../provider/engine/log";
import { DynamicHost } from "../../provider/hosts/dynamic/host";
import type { RepositoryReader } from "../../provider/repository/reader";
import type { SessionOptions } from "../../provider/session/session";
import { Sessions } from "../../provider/session/session-pool";

/** What a provider process gets from its surroundings. */
export interface Surroundings extends Pick<SessionOptions, "env" | "clock" | "answerTimeoutMs"> {
  /** By default the same number always. */
  random?: () => number;
  log: EngineLog;
  repositories?: RepositoryReader;
  patienceMs?: number;
}

/** The provider of deployments as a fresh process would have it. */
export function deploymentHost(surroundings: Surroundings): DynamicHost {
  const { log, repositories, patienceMs, random = () => 0.5, ...options } = surroundings;
  const sessions = new Sessions({ random, ...options });
  return new DynamicHost(deploymentKind(repositories), { argv: [], log, patienceMs, sessions });
}

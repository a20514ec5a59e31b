import { systemClock } from "./clock";
import type { ControlPlaneClient } from "./control-plane/client";
import type { ConfigReader } from "./control-plane/connection";
import { Session } from "./session";

/** A client for what a program asks before its resources are declared. */
export function clientFor(config: ConfigReader, env: NodeJS.ProcessEnv): ControlPlaneClient {
  return new Session({ config, env, clock: systemClock, random: Math.random }).client();
}

export { lookUpDeployment, listDeployments } from "./deployment/look-up";
export { findIntegration } from "./deployment/find-integration";

import type { AgentServerClient } from "../agent-server/client";
import type { ControlPlaneClient } from "../control-plane/client";
import type { Dialect } from "../control-plane/dialects";
import type { Waits } from "../control-plane/polling/rollout-polling";
import type { Upload } from "../http/upload";
import type { DeploymentRecord } from "../../wire";
import type { ControlPlaneAddress } from "./managed";
import type { Operation } from "./operation";

/** What one create, update, read or delete of something at the control plane works with. */
export interface ControlPlaneOperation extends Operation {
  client: ControlPlaneClient;
  until(deadline: number): ControlPlaneOperation;
  /**
   * The deployments with exactly this name, by as few requests as the server allows.
   * @param isFresh whether the answer must be of now: a create has been tried meanwhile
   */
  findByName(name: string, isFresh: boolean): Promise<DeploymentRecord[]>;
  /** The deployments of an agent in one environment, as they are now. */
  findByAgent(agentId: string, environment: string): Promise<DeploymentRecord[]>;
  /** The workspace's deployments as the first operation that asked has found them. */
  deploymentsAtStart(): Promise<DeploymentRecord[]>;
  /** Speaks to the agent server at that URL, with the same key. */
  agentServer(url: string): AgentServerClient;
  /** Sends a file to an address that the control plane has given for it. */
  upload(file: Upload): Promise<void>;
  /** What all waits of the process for rollouts of this workspace have in common. */
  waits: Waits;
  dialect: Dialect;
  controlPlane: ControlPlaneAddress;
  /**
   * The workspace in state, where the configuration names none: the key may be of another one. Empty where the server has
   * never named it either.
   */
  unconfirmedWorkspace?: string;
}

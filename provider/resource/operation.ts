import type { AgentServerClient } from "../agent-server/client";
import type { Clock } from "../clock";
import type { ControlPlaneClient } from "../control-plane/client";
import type { Dialect } from "../control-plane/dialects";
import type { Upload } from "../http/upload";
import type { DeploymentRecord } from "../../wire";
import type { AgentServerError } from "../errors";
import type { ControlPlaneAddress } from "./managed";
import type { ResourceIdentity } from "./owner-id";
import type { StatusLine } from "./status-line";

/** What one create, update, read or delete works with. */
export interface Operation {
  client: ControlPlaneClient;
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
  /** The same operation with another time to give up. */
  until(deadline: number): Operation;
  /** Folder that relative paths of the program count from. */
  workingFolder: string;
  clock: Clock;
  dialect: Dialect;
  controlPlane: ControlPlaneAddress;
  /**
   * The workspace in state, where the configuration names none: the key may be of another one. Empty where the server has
   * never named it either.
   */
  unconfirmedWorkspace?: string;
  /** What this resource is recognized by in the ownership tag of its deployment. */
  ownerId: string;
  /** Which resource of which stack this is. */
  identity: ResourceIdentity;
  /** When the operation gives up, in milliseconds since 1970. */
  deadline: number;
  /** The whole time that the operation has, in milliseconds. */
  timeoutMs: number;
  /** Where a program sets that time, for example `rollout.timeout`. */
  timeoutInput: string;
  status: StatusLine;
  /** Says something that stays in the engine's output, with the resource. */
  log(severity: "info" | "warning", message: string): void;
  /** Takes secret values out of a text. */
  redact: (text: string) => string;
  signal?: AbortSignal;
}

/** How a create or update ended: the state to keep and, when it did not come to what was wanted, why. */
export interface Ended<State> {
  id: string;
  state: State;
  problem?: Problem;
}

/** Why a resource exists, but is not what was wanted. */
export interface Problem {
  error: AgentServerError;
  /** Paragraphs for the engine's output, the first one the headline. */
  reasons: string[];
}

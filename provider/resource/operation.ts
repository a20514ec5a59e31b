import type { Clock } from "../clock";
import type { AgentServerError } from "../errors";
import type { ResourceIdentity } from "./ownership/owner-id";
import type { StatusLine } from "./status-line";

/** What one create, update, read or delete works with, wherever the resource lives. */
export interface Operation {
  /** The same operation with another time to give up. */
  until(deadline: number): Operation;
  /** Folder that relative paths of the program count from. */
  workingFolder: string;
  clock: Clock;
  /** What this resource is recognized by in its ownership tag. */
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
  /** What the resource is in is surely gone, and the resource with it: neither a read nor a delete has anything to do. */
  isGone?: boolean;
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

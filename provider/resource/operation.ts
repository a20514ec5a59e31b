import type { DeploymentRecord } from "../../wire";
import type { AgentServerClient } from "../agent-server/client";
import type { Clock } from "../clock";
import type { ControlPlaneClient } from "../control-plane/client";
import type { Dialect } from "../control-plane/dialects";
import type { RolloutPolling } from "../control-plane/polling/rollout-polling";
import type { Deadline } from "../deadline";
import type { AgentServerError } from "../errors";
import type { JsonRequest, ProbeResponse } from "../http/probe";
import type { Upload } from "../http/upload";
import type { ControlPlaneAddress, Location } from "./managed";
import type { OwnerIds, ResourceIdentity } from "./ownership/owner-id";
import type { ServerInputs } from "./server";
import type { StatusLine } from "./status-line";

/** The resource that an operation applies to. */
export interface OperationResource extends OwnerIds {
  identity: ResourceIdentity;
  /** Control plane of the resource, or of the deployment that contains it; missing for a `connection`. */
  controlPlane?: Location | undefined;
  /** Folder that relative paths in the program are resolved against. */
  workingFolder: string;
}

/** Clock, time limit, and cancellation signal of an operation. */
export interface OperationTime {
  clock: Clock;
  deadline: Deadline;
  /** Signal that is aborted when the engine cancels the operation. */
  signal?: AbortSignal;
}

/** Reporting functions of an operation. */
export interface OperationReport {
  /** Logs a message about the resource that stays in the engine's output. */
  log(severity: "info" | "warning", message: string): void;
  status: StatusLine;
  /** Removes secret values from a string. */
  redact: (text: string) => string;
}

/** The control plane that an operation uses. */
export interface OperationPlane {
  client: ControlPlaneClient;
  /**
   * Returns the deployments with exactly this name, with as few requests as the server allows.
   * @param isFresh true if the result must not come from a cache, because a create has been attempted since then
   */
  findByName(name: string, isFresh: boolean): Promise<DeploymentRecord[]>;
  /** Returns the current deployments of an agent in one environment. */
  findByAgent(agentId: string, environment: string): Promise<DeploymentRecord[]>;
  /** Returns the first page of the workspace's deployments. All operations of a process share the first response. */
  deploymentsAtStart(): Promise<DeploymentRecord[]>;
  /**
   * Returns a client for the agent server at this URL, with the same API key.
   * @param redact removes secret values from its messages before they are shortened
   */
  agentServer(url: string, redact: OperationReport["redact"]): AgentServerClient;
  /** Sends a file to an upload URL that the control plane returned. */
  upload(file: Upload): Promise<void>;
  /** Sends a `POST` request to any URL, without the credentials of the connection. */
  postJson(url: string, request: JsonRequest): Promise<ProbeResponse>;
  /** State that is shared by all waits for rollouts in this workspace. */
  polling: RolloutPolling;
  dialect: Dialect;
  controlPlane: ControlPlaneAddress;
  /**
   * Confirms that a deployment that was not found no longer exists.
   * @throws AgentServerError `moved_control_plane` if the API key may belong to another workspace
   */
  confirmWorkspace(deploymentId: string): Promise<void>;
}

/** Context of one create, update, read, or delete. */
export interface Operation {
  resource: OperationResource;
  time: OperationTime;
  report: OperationReport;
  /** True if the parent of the resource no longer exists, so that there is nothing to read or delete. */
  isGone?: boolean;
  /** Sends a new request to check whether the parent no longer exists. Never rejects. */
  isGoneNow?: () => Promise<boolean>;
  /** Parts of the import ID; set only for an object that is being imported. */
  imported?: ImportedObject | undefined;
}

/** An object that is being imported: its own ID, and the inputs that specify its agent server. */
export interface ImportedObject {
  id: string;
  server: ServerInputs;
}

/** Context of one operation on a resource of the control plane. */
export interface ControlPlaneOperation extends Operation {
  plane: OperationPlane;
  /** Returns the same operation with a different deadline, in milliseconds since 1970. */
  until(deadline: number): ControlPlaneOperation;
}

/** Context of one operation on a resource of an agent server. */
export interface AgentServerOperation extends Operation {
  server: AgentServerClient;
}

/** Result of a create or update: the state to keep and, if the operation failed, the reason. */
export interface Result<State> {
  id: string;
  state: State;
  problem?: Problem;
}

/** Reason that a resource exists but does not match its inputs. */
export interface Problem {
  error: AgentServerError;
  /** Paragraphs for the engine's output. The first paragraph is the headline. */
  reasons: string[];
}

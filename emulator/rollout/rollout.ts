import type { RevisionStatus, WireSecret, WireSourceConfig, WireSourceRevisionConfig } from "../../wire";

/** Inputs of one rollout. */
export interface RolloutJob {
  deploymentId: string;
  revisionId: string;
  deploymentName: string;
  source: string;
  sourceConfig: WireSourceConfig;
  sourceRevisionConfig: WireSourceRevisionConfig;
  secrets: WireSecret[];
  /** Folder with the unpacked source that was uploaded for this revision; it is not changed. */
  uploadFolder?: string;
  /** Commit to which an earlier attempt at this revision resolved `repo_ref`; it is built without resolving again. */
  resolvedCommit?: string;
  /** Folder of the deployment's data, which outlives its revisions. */
  dataFolder: string;
  /** Folder of this revision only. */
  revisionFolder: string;
}

export type LogType = "build" | "deploy";
export type LogLevel = "DEBUG" | "INFO" | "WARNING" | "ERROR" | "CRITICAL";

/** Reports of a running rollout. */
export interface RolloutReport {
  status(status: RevisionStatus): void;
  log(type: LogType, level: LogLevel, message: string): void;
  /** Reports the commit to which `repo_ref` was resolved. */
  resolvedCommit(sha: string): void;
  /** Reports the name and version of the runtime of the graphs, for display. */
  runtime?(name: string): void;
}

/** Failed verdict on a rollout; its message becomes the revision's `status_message`. */
export class RolloutFailure extends Error {
  override readonly name = "RolloutFailure";
  constructor(
    readonly status: "CREATE_FAILED" | "BUILD_FAILED" | "DEPLOY_FAILED",
    message: string,
  ) {
    super(message);
  }
}

/** Endpoint of an agent server for requests that only the control plane sends. */
export interface InternalApiAddress {
  origin: string;
  /** Token that every request to the agent server carries, here and at its own address, as `x-internal-api-token`. */
  token: string;
  /** True if the agent server's own operations have the documented form. @default false */
  documented?: boolean;
}

/** An agent server process that responds to requests. */
export interface RunningAgent {
  /** Its origin, for example `http://127.0.0.1:41234`. */
  origin: string;
  internalApi?: InternalApiAddress;
  /**
   * Switches it to the deployment's data, which only one agent at a time may use: the previous one must have ended.
   * Until then it has no data. Absent if agents keep no data.
   */
  takeOver?(): Promise<void>;
  /** Resolves with a message about the cause when the process has ended, even if this was requested. */
  exited: Promise<string>;
  /** Ends it and everything it started; resolves when all have ended. */
  stop(): Promise<void>;
}

/** Implementation of rollouts. */
export interface RolloutRunner {
  /**
   * Rolls out the revision, from build to serving. Resolves when it serves (with `undefined` if rollouts are
   * simulated), rejects with a `RolloutFailure`, and leaves no process behind if `signal` aborts.
   */
  roll(job: RolloutJob, report: RolloutReport, signal: AbortSignal): Promise<RunningAgent | undefined>;
  /** Restarts the agent of a revision that is already built, after a crash or a restart of the control plane. */
  restart(job: RolloutJob, report: RolloutReport, signal: AbortSignal): Promise<RunningAgent | undefined>;
}

import type { RevisionStatus, WireSecret, WireSourceConfig, WireSourceRevisionConfig } from "../../wire";

/** Everything one rollout may use. */
export interface RolloutJob {
  deploymentId: string;
  revisionId: string;
  deploymentName: string;
  source: string;
  sourceConfig: WireSourceConfig;
  sourceRevisionConfig: WireSourceRevisionConfig;
  secrets: WireSecret[];
  /** Folder of the source that was uploaded for this revision, unpacked; it stays as it is. */
  uploadFolder?: string;
  /** The commit that an earlier attempt at this revision resolved `repo_ref` to; built instead of asking again. */
  resolvedCommit?: string;
  /** Folder of the deployment's data; outlives its revisions. */
  dataFolder: string;
  /** Folder of this revision alone. */
  revisionFolder: string;
}

export type LogType = "build" | "deploy";
export type LogLevel = "DEBUG" | "INFO" | "WARNING" | "ERROR" | "CRITICAL";

/** Reports of a running rollout. */
export interface RolloutReport {
  status(status: RevisionStatus): void;
  log(type: LogType, level: LogLevel, message: string): void;
  /** The commit that `repo_ref` turned out to name. */
  resolvedCommit(sha: string): void;
  /** Name and version of what runs the graphs, for people. */
  runtime?(name: string): void;
}

/** The failed verdict on a rollout; its message becomes the revision's `status_message`. */
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
export interface Backstage {
  origin: string;
  /** Goes with every request to the agent server, here and at its own address, as `x-backstage-token`. */
  token: string;
  /** True if the agent server's own operations have the documented form. @default false */
  documented?: boolean;
}

/** An agent server process that answers requests. */
export interface RunningAgent {
  /** Its origin, for example `http://127.0.0.1:41234`. */
  origin: string;
  backstage?: Backstage;
  /**
   * Makes it work with the deployment's data, which only one agent at a time may do: the one before must have ended.
   * Until then it has none. Absent where agents keep no data.
   */
  takeOver?(): Promise<void>;
  /** Resolves with a sentence about why, when the process has ended, asked or not. */
  exited: Promise<string>;
  /** Ends it and everything it started; resolves when it is gone. */
  stop(): Promise<void>;
}

/** One way of turning a revision into something that serves. */
export interface RolloutRunner {
  /**
   * Rolls the revision out, from build to serving. Resolves when it serves (with nothing where statuses are
   * all there is), rejects with a `RolloutFailure`, and leaves no process behind when `signal` aborts.
   */
  roll(job: RolloutJob, report: RolloutReport, signal: AbortSignal): Promise<RunningAgent | undefined>;
  /** Starts the agent of an already built revision again, after a crash or a restart of the control plane. */
  restart(job: RolloutJob, report: RolloutReport, signal: AbortSignal): Promise<RunningAgent | undefined>;
}

import type { RevisionStatus, WireSecret, WireSourceConfig, WireSourceRevisionConfig } from "../../wire";

/** Inputs of a rollout, such as the source of the revision. */
export interface RolloutJob {
  deploymentId: string;
  revisionId: string;
  deploymentName: string;
  source: string;
  sourceConfig: WireSourceConfig;
  sourceRevisionConfig: WireSourceRevisionConfig;
  secrets: WireSecret[];
  /** Folder with the unpacked source that was uploaded for this revision. The rollout does not change it. */
  uploadFolder?: string;
  /**
   * Commit to which an earlier attempt at this revision resolved `repo_ref`. The commit is built without resolving the
   * ref again.
   */
  resolvedCommit?: string;
  /** Folder for the deployment's data, which is kept across revisions. */
  dataFolder: string;
  /** Folder for the files of this revision only. */
  revisionFolder: string;
}

export type LogType = "build" | "deploy";
export type LogLevel = "DEBUG" | "INFO" | "WARNING" | "ERROR" | "CRITICAL";

/** Callbacks that receive the progress of a running rollout. */
export interface RolloutReport {
  status(status: RevisionStatus): void;
  log(type: LogType, level: LogLevel, message: string): void;
  /** Reports the commit to which `repo_ref` was resolved. */
  resolvedCommit(sha: string): void;
  /** Reports the name and version of the runtime of the graphs, for display. */
  runtime?(name: string): void;
}

/** Failure of a rollout. Its message becomes the `status_message` of the revision. */
export class RolloutFailure extends Error {
  override readonly name = "RolloutFailure";
  constructor(
    readonly status: "CREATE_FAILED" | "BUILD_FAILED" | "DEPLOY_FAILED",
    message: string,
  ) {
    super(message);
  }
}

/** Internal API of an agent server, which only the control plane uses. */
export interface InternalApiAddress {
  origin: string;
  /**
   * Token that every request must contain as `x-internal-api-token`, whether it is sent to the internal API or to the
   * agent server itself.
   */
  token: string;
  /**
   * True if the agent server's own operations behave as documented.
   * @default false
   */
  documented?: boolean;
}

/** An agent server process that responds to requests. */
export interface RunningAgent {
  /** Origin of the agent server, such as `http://127.0.0.1:41234`. */
  origin: string;
  internalApi?: InternalApiAddress;
  /**
   * Switches the agent to the data of the deployment. Only one agent at a time may use this data, so the previous one
   * must have exited. Until this method is called, the agent has no data. Absent if agents do not store data.
   */
  takeOver?(): Promise<void>;
  /** Resolves with a message about the cause when the process has exited, even if a stop was requested. */
  exited: Promise<string>;
  /** Stops the agent and everything that it started. Resolves when all processes have exited. */
  stop(): Promise<void>;
}

/** Interface of the classes that perform rollouts. */
export interface RolloutRunner {
  /**
   * Rolls out the revision, from the build until it serves requests. Resolves when the agent serves requests (with
   * `undefined` if rollouts are simulated), and otherwise rejects with a `RolloutFailure`. Leaves no processes running
   * if `signal` aborts.
   */
  roll(job: RolloutJob, report: RolloutReport, signal: AbortSignal): Promise<RunningAgent | undefined>;
  /** Restarts the agent of a revision that has already been built, after a crash or a restart of the control plane. */
  restart(job: RolloutJob, report: RolloutReport, signal: AbortSignal): Promise<RunningAgent | undefined>;
}

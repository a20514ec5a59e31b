import { Core, type Outcome } from "../../provider/core/core";
import type { Decoded } from "../../provider/core/decoded";
import type { EngineLog } from "../../provider/engine/log";
import type { DeploymentInputs } from "../../provider/deployment/inputs/inputs";
import { deploymentKind } from "../../provider/deployment/kind";
import type { DeploymentState } from "../../provider/deployment/state";
import type { Call } from "../../provider/resource/call";
import { findingText } from "../../provider/resource/inputs/finding";
import { withValuesAt, type Props } from "../../provider/resource/inputs/values";
import type { SessionPool } from "../../provider/session/session-pool";

/** Result of an attempt to deploy the current inputs. */
export type Attempt =
  /** Result if the control plane already has these inputs. */
  | { result: "unchanged" }
  /** Result if the inputs are invalid, with the reasons. */
  | { result: "rejected"; reasons: string[] }
  /** Result if a revision was created. If the revision does not serve requests, `problem` is the reason. */
  | { result: "rolled out"; revisionId: string; servingRevisionId?: string; url?: string; problem?: string };

/** Values that the deployment requires from the command. */
export interface DevDeploymentDeps {
  sessions: SessionPool;
  log: EngineLog;
  /** Folder that contains the source. */
  folder: string;
  signal: AbortSignal;
}

/**
 * Deployment of a folder without a program. Passes the inputs to the provider in the same way as the engine, and keeps
 * the state in memory.
 */
export class DevDeployment {
  private id: string | undefined;
  private inputs: Props = {};
  private state: Props = {};
  /** True if the last change was accepted but not completed. */
  private isIncomplete = false;

  constructor(private readonly deps: DevDeploymentDeps) {}

  /**
   * Deploys the inputs if they differ from the deployed ones, and waits for the rollout.
   * @throws DisplayError if the control plane did not accept the inputs
   */
  async deploy(inputs: DeploymentInputs): Promise<Attempt> {
    const { sessions, log, folder, signal } = this.deps;
    // A core reads a folder only once, so each attempt needs a new core.
    const core = new Core(deploymentKind(), { sessions, log, workingFolder: folder });
    const call: Call = { urn: urnOf(inputs.name!), timeouts: {}, faults: [], signal };
    const given = decoded({ ...inputs });
    const { ownerId, computed, failures } = await core.check(call, decoded(this.inputs), given);
    if (failures.length > 0) return { result: "rejected", reasons: failures.map(findingText) };
    const desired = withValuesAt(given.values, { ...computed, ownerId });
    const news = decoded(desired);
    if (this.id === undefined) return this.recorded(desired, await core.create(call, news));
    const olds = decoded({ ...this.state, __files: this.inputs["__files"] });
    const { hasChanges } = await core.diff(this.id, call, olds, news);
    if (!hasChanges && !this.isIncomplete) return { result: "unchanged" };
    return this.recorded(desired, await core.update(this.id, call, olds, news));
  }

  private recorded(inputs: Props, { id, state, problem }: Outcome): Attempt {
    this.id = id;
    this.inputs = inputs;
    this.state = { ...state };
    this.isIncomplete = problem !== undefined;
    const { latestRevisionId, serving, url } = state as DeploymentState;
    return {
      result: "rolled out",
      revisionId: latestRevisionId,
      ...(serving && { servingRevisionId: serving.revisionId }),
      ...(url !== undefined && { url }),
      ...(problem && { problem: problem.error.message }),
    };
  }
}

/** Returns a URN for the deployment. The deployment is not part of any stack. */
function urnOf(name: string): string {
  return `urn:pulumi:dev::agentserver-dev::pulumi-nodejs:dynamic/agentserver:Deployment::${name}`;
}

/** Returns properties in the format that the core expects. */
function decoded(props: Props): Decoded {
  const entries = Object.entries(props);
  const isHidden = ([key]: [string, unknown]) => key.startsWith("__");
  return {
    values: Object.fromEntries(entries.filter((entry) => !isHidden(entry))),
    secretPaths: ["secrets"],
    hidden: Object.fromEntries(entries.filter(isHidden)),
  };
}

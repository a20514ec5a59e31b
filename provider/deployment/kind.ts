import { allDialects, dialectOf } from "../control-plane/dialects";
import { credentialsIn } from "../text/address-credentials";
import { datasetFindings } from "../evaluation/check";
import type { RepositoryReader } from "../repository/reader";
import type { ControlPlaneKind } from "../resource/kind";
import { at, isGroup, textsAt } from "../resource/inputs/values";
import { deploymentChecks } from "./checks";
import { deploymentInputs, type DeploymentInputs } from "./inputs/inputs";
import type * as Reconcile from "./reconcile";
import { LocalFolders } from "./source/folder";
import { changedFiles } from "../local-source/listing";
import { merge } from "./current";
import { changedOutputs } from "./plan/changed-outputs";
import { plan } from "./plan/plan";
import type { DeploymentCode } from "./plan/reasons";
import { lastRolloutOf, outputNames, readState, type DeploymentState } from "./state";
import { words } from "./plan/words";

const judgeHeaders = "rollout.verify.evaluation.judge.headers";

/** Returns the keys of an object; empty for any other value, such as one that is unknown. */
function namesIn(value: unknown): string[] {
  return isGroup(value) ? Object.keys(value) : [];
}

/**
 * Returns the kind of agent server deployments: `/v2/deployments` and their revisions.
 * @param repositories reads git repositories for previews; if it is omitted, repositories are not checked
 */
export function deploymentKind(
  repositories?: RepositoryReader,
): ControlPlaneKind<DeploymentInputs, DeploymentState, DeploymentCode> {
  const folders = new LocalFolders();
  return {
    type: "Deployment",
    endpointType: "control plane",
    inputs: deploymentInputs,
    outputs: outputNames,
    clearable: [...new Set(allDialects.flatMap((dialect) => [...dialect.clearable]))],
    secretMaps: ["secrets"],
    omittable: { "sourceConfig.resourceSpec": undefined, sourceConfig: {}, sourceRevisionConfig: {} },
    restorableOutputs: ["url", "serving"],
    readState,
    timeoutInput: "rollout.timeout",
    // The URL of a repository may contain a token.
    secretTexts: (inputs) => [
      ...textsAt(inputs, "sourceConfig.repoUrl").flatMap(credentialsIn),
      ...textsAt(inputs, judgeHeaders),
    ],
    secretCopies: ({ serving, rollout }, isSecret) => [
      // Headers contain credentials, even if the program does not mark them.
      ...namesIn(at({ rollout }, judgeHeaders)).map((name) => [...judgeHeaders.split("."), name]),
      ...(isSecret("sourceConfig.customUrl") ? [["url"]] : []),
      ...Object.keys(serving?.sourceRevisionConfig ?? {})
        .filter((field) => isSecret(`sourceRevisionConfig.${field}`))
        .map((field) => ["serving", "sourceRevisionConfig", field]),
      ...(["source", "sourceRevisionConfig"].some(isSecret) ? [["rolledOut"]] : []),
      // A refresh has replaced the inputs themselves, so it is not known which of these values are secret.
      ["sentInputs"],
      ...(["source", "sourceRevisionConfig", "rollout.verify.graph"].some(isSecret) ? [["verified"]] : []),
    ],
    computed: async (inputs, { workingFolder }) => {
      const { values, findings } = await folders.computed(inputs, workingFolder);
      return { values, findings: [...findings, ...(await datasetFindings(inputs, workingFolder))] };
    },
    remarks: ({ __files: before }, { __files: after }) => {
      const changed = changedFiles(before, after);
      return changed === undefined ? [] : [changed];
    },
    checks: () => deploymentChecks(repositories),
    plan: ({ state, ...question }) => {
      const planned = plan({
        ...question,
        current: merge(state),
        dialect: dialectOf(state.controlPlane.dialect),
        lastRollout: lastRolloutOf(state),
        isLost: state.heldBy !== undefined,
      });
      return { ...planned, changedOutputs: changedOutputs(planned, state) };
    },
    words,
    create: (...given) => reconcile().createDeployment(...given),
    read: (...given) => reconcile().readDeployment(...given),
    update: (...given) => reconcile().updateDeployment(...given),
    delete: (op, id, known, successor) => reconcile().deleteDeployment(op, id, known, successor),
  };
}

/** Loads the module with the operations on first use, because a program without changes does not need it. */
function reconcile(): typeof Reconcile {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  return require("./reconcile") as typeof Reconcile;
}

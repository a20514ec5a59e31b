import type { ExportedContent } from "./contents/exported-content";
import type { ExportedDeployment } from "./exported-deployment";

/** A workspace as it is exported. */
export interface ExportedWorkspace {
  deployments: ExportedDeployment[];
  /** What is in the deployments, where that was asked for; sorted by kind, deployment and name. */
  contents: ExportedContent[];
  /** Names of all deployments that the workspace has, in order: names in the export follow from them. */
  namesInUse: string[];
  /** What is not exported, and why. */
  leftOut: { name: string; id: string; reason: string }[];
}

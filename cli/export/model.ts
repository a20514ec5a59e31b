import type { DeploymentInputs } from "../../provider/deployment/inputs/inputs";
import type { ExportedNames } from "./names";
import type { InsideKind } from "../../sdk/manifests/inside-format";

/** Secret of a deployment, with the Pulumi configuration key that contains its value. */
export interface ExportedSecret {
  name: string;
  key: string;
  value: string;
}

/** Exported deployment. */
export interface ExportedDeployment extends ExportedNames {
  id: string;
  /** Name on the control plane. */
  name: string;
  /** Inputs, including the values of secrets. */
  inputs: DeploymentInputs;
  /** Other values that the control plane reports; `ownerId` is set if a Pulumi resource has tagged the deployment. */
  found: { url?: string; latestRevisionId: string; tenantId: string; ownerId?: string };
  secrets: ExportedSecret[];
  /** Notes for the reader. */
  notices: string[];
  /** True if another Pulumi resource owns and keeps the deployment, which is then exported as a comment. */
  asComment: boolean;
}

/** Providers of this package. They determine the resources of an import. */
export const providerNames = ["dynamic", "plugin"] as const;

export type ProviderName = (typeof providerNames)[number];

/** File of an export. */
export interface ExportedFile {
  /** Name in the folder of the export. */
  name: string;
  text: string;
}

/** Kinds of contents of a deployment that can be exported. */
export const contentKinds = ["assistants", "crons", "store"] as const;

export type ContentKind = (typeof contentKinds)[number];

/** Exported assistant, cron, or store items of a namespace. */
export interface ExportedContent extends ExportedNames {
  kind: InsideKind;
  /** Deployment that contains it. */
  deployment: ExportedDeployment;
  /** Display name on the agent server. */
  title: string;
  /** All inputs except the deployment. */
  inputs: Record<string, unknown>;
  /** Exported assistant of a cron. */
  assistant?: ExportedContent;
  /** Notes for the reader. */
  notices: string[];
}

/** Exported workspace. */
export interface ExportedWorkspace {
  deployments: ExportedDeployment[];
  /** Contents of the deployments, if requested; sorted by kind, deployment and name. */
  contents: ExportedContent[];
  /** Names of all deployments of the workspace, in order, from which the exported names are derived. */
  namesInUse: string[];
  /** Objects that are not exported, with the reasons. */
  omitted: { name: string; id: string; reason: string }[];
}

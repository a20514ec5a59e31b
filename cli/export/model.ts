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
  /** Inputs, including secret values. */
  inputs: DeploymentInputs;
  /** Further values that the control plane reports. `ownerId` is set if a Pulumi resource has tagged the deployment. */
  found: { url?: string; latestRevisionId: string; tenantId: string; ownerId?: string };
  secrets: ExportedSecret[];
  /** Notes for the user, which are exported as comments. */
  notices: string[];
  /**
   * True if another Pulumi resource owns the deployment and remains its owner. Such a deployment is exported as a
   * comment.
   */
  asComment: boolean;
}

/** Providers in this package, which determine the type of imported resources. */
export const providerNames = ["dynamic", "plugin"] as const;

export type ProviderName = (typeof providerNames)[number];

/** File in an export. */
export interface ExportedFile {
  /** Path in the folder of the export. */
  name: string;
  text: string;
}

/** Kinds of deployment contents that can be exported. */
export const contentKinds = ["assistants", "crons", "store"] as const;

export type ContentKind = (typeof contentKinds)[number];

/** Exported assistant or cron, or the store items in a namespace. */
export interface ExportedContent extends ExportedNames {
  kind: InsideKind;
  /** Deployment that contains the assistant, cron, or store items. */
  deployment: ExportedDeployment;
  /** Display name on the agent server. */
  title: string;
  /** All inputs except the deployment. */
  inputs: Record<string, unknown>;
  /** Exported assistant that the cron runs, if this is a cron. */
  assistant?: ExportedContent;
  /** Notes for the user, which are exported as comments. */
  notices: string[];
}

/** Exported workspace. */
export interface ExportedWorkspace {
  deployments: ExportedDeployment[];
  /** Contents of the deployments, if requested; sorted by kind, deployment, and name. */
  contents: ExportedContent[];
  /** Names of all deployments in the workspace, in order. The exported names are derived from them. */
  namesInUse: string[];
  /** Objects that are not exported, with the reasons. */
  omitted: { name: string; id: string; reason: string }[];
}

import type { DeploymentInputs } from "../../provider/deployment/inputs/inputs";
import type { ExportedNames } from "./names";

/** A secret of one deployment, and the key of Pulumi's configuration that stands for it. */
export interface ExportedSecret {
  name: string;
  key: string;
  value: string;
}

/** A deployment as it is exported. */
export interface ExportedDeployment extends ExportedNames {
  id: string;
  /** Its name at the control plane. */
  name: string;
  /** With the values of its secrets. */
  inputs: DeploymentInputs;
  /** What else the control plane reports; `ownerId` where a Pulumi resource has tagged it. */
  found: { url?: string; latestRevisionId: string; tenantId: string; ownerId?: string };
  secrets: ExportedSecret[];
  /** What a reader has to know about it. */
  notices: string[];
  /** Another Pulumi resource owns it and keeps it: it is exported as a comment. */
  asComment: boolean;
}

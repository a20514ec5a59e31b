import type { Props } from "../../../provider/resource/inputs/values";

/** Prefix of the types of this provider's resources. */
const ownTypes = "pulumi-nodejs:dynamic/agentserver:";

export const deploymentType = `${ownTypes}Deployment`;

/** The kind of a resource of this provider, such as `Cron`; nothing for one of another. */
export function kindOf(type: string): string | undefined {
  return type.startsWith(ownTypes) ? type.slice(ownTypes.length) : undefined;
}

/** Operation on a resource, in the engine's terms, without their variants. */
export type ResourceOperation = "create" | "update" | "replace" | "delete" | "read" | "same";

/** A resource before or after; secret values are "[secret]". */
export interface ResourceState {
  id?: string;
  inputs: Props;
  outputs: Props;
  /** Position in the program where it is declared, such as `project:///index.ts#8,11`. */
  sourcePosition?: string;
  /** `opts.retainOnDelete`: to delete the resource leaves in place what it stands for. */
  retainOnDelete?: true;
}

/** Result of the refresh of a resource. */
export interface RefreshFinding {
  /** The plan's reasons to get from what was found to what state says; nothing where they agree. */
  reasons?: string;
  /** It is not there any more. */
  gone: boolean;
}

/** One resource of the stack, with all that the preview says about it. */
export interface PreviewedResource {
  urn: string;
  type: string;
  operation: ResourceOperation;
  before?: ResourceState;
  after?: ResourceState;
  /** The plan's reasons, in its sentences. */
  reasons?: string;
  /** Other messages about it in the log. */
  remarks?: string[];
  /** Properties that the engine names as the cause of a replacement. */
  replaceReasons: string[];
  refresh?: RefreshFinding;
}

/** Result of a policy for the stack or one of its resources. */
export interface PolicyResult {
  urn?: string;
  policy: string;
  pack: string;
  level: "mandatory" | "advisory" | "remediated";
  message: string;
}

/** Error or warning about the stack or one of its resources. */
export interface PreviewMessage {
  urn?: string;
  message: string;
}

/** A preview, whichever of the engine's two forms it comes in. */
export interface Preview {
  failed: boolean;
  errors: PreviewMessage[];
  /** Of resources. */
  warnings: PreviewMessage[];
  resources: PreviewedResource[];
  /** True if the preview checked for drift. */
  refreshed: boolean;
  /** Nothing where this form of the preview does not report. */
  policies?: PolicyResult[];
}

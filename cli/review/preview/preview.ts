import type { Props } from "../../../provider/resource/inputs/values";
import { typeNameOf } from "../../../provider/resource/ownership/type-token";

/** Operation on a resource, as named by the engine, without the engine's variants. */
export type ResourceOperation = "create" | "update" | "replace" | "delete" | "read" | "same";

/** State of a resource before or after the operation; secret values are "[secret]". */
export interface ResourceState {
  id?: string;
  inputs: Props;
  outputs: Props;
  /** Position of the declaration in the program, such as `project:///index.ts#8,11`. */
  sourcePosition?: string;
  /** True if deleting the resource does not delete the object that it manages (`opts.retainOnDelete`). */
  retainOnDelete?: true;
}

/** Result of the refresh of a resource. */
export interface RefreshFinding {
  /** Reasons for the changes that would restore the recorded state; `undefined` if the actual state matches it. */
  reasons?: string;
  /** True if the resource no longer exists. */
  gone: boolean;
}

/** A resource of the stack, with all information about it in the preview. */
export interface PreviewedResource {
  urn: string;
  type: string;
  operation: ResourceOperation;
  before?: ResourceState;
  after?: ResourceState;
  /** Reasons for the plan, as sentences. */
  reasons?: string;
  /** Other messages about the resource in the log. */
  remarks?: string[];
  /** Properties that cause a replacement, as reported by the engine. */
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

/** True if the resource is a deployment, from either provider. */
export function isDeployment({ type }: Pick<PreviewedResource, "type">): boolean {
  return typeNameOf(type) === "Deployment";
}

/** A preview, read from either of the engine's two formats. */
export interface Preview {
  failed: boolean;
  errors: PreviewMessage[];
  /** Warnings about resources. */
  warnings: PreviewMessage[];
  /** Messages about sources that are waiting for promotion, or that will be promoted if checks succeed. */
  promotions: string[];
  resources: PreviewedResource[];
  /** True if the preview checked for drift. */
  refreshed: boolean;
  /** Results of the policies; `undefined` if the format does not include them. */
  policies?: PolicyResult[];
}

import type * as pulumi from "@pulumi/pulumi";
import { isOfType } from "../registration";
import { AgentServerResource, type ResourceClass } from "./resource";
import type { ServerArgs } from "./server-args";

/** Arguments of a store item. */
export type StoreItemArgs = ServerArgs & {
  /** Labels of the namespace; they cannot contain dots. Changing them replaces the item. */
  namespace: pulumi.Input<pulumi.Input<string>[]>;
  /** Key of the item in its namespace. Changing it replaces the item. */
  key: pulumi.Input<string>;
  /** Value of the item. */
  value: pulumi.Input<Record<string, unknown>>;
  /** Paths within the value to index for search, or `false` to index nothing. */
  index?: pulumi.Input<false | string[] | null>;
  /** Number of minutes after which the item expires. */
  ttl?: pulumi.Input<number | null>;
  /**
   * Specifies when an existing item is adopted. Only `"always"` allows this resource to overwrite and delete an item
   * that others have written. `"never"` also rejects an item that an interrupted create of this resource has written.
   */
  adopt?: pulumi.Input<"never" | "ifOwned" | "always">;
};

/**
 * Item in a deployment's store, which graphs read and write (`PUT /store/items`, `DELETE /store/items`).
 *
 * @example
 * new StoreItem("tone", {
 *   deployment: agent,
 *   namespace: ["guidelines"],
 *   key: "tone",
 *   value: { text: "Friendly, and brief." },
 * });
 */
export class StoreItem extends AgentServerResource {
  /** Type token, which policies use to match the resource. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:StoreItem";

  declare readonly namespace: pulumi.Output<string[]>;
  declare readonly key: pulumi.Output<string>;
  declare readonly value: pulumi.Output<Record<string, unknown>>;

  constructor(name: string, args: StoreItemArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, args, opts);
  }

  /** True if the value is a `StoreItem`, including one created by another copy of this package. */
  static override isInstance(value: unknown): value is StoreItem {
    return isOfType(value, "StoreItem");
  }
}

const kind: ResourceClass = {
  className: "StoreItem",
  provider: "storeItem",
  properties: ["namespace", "key", "value", "index", "ttl", "adopt"],
};

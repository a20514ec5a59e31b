import type * as pulumi from "@pulumi/pulumi";
import { AgentServerResource, isOfType } from "./resource";
import type { ServerArgs } from "./server-args";

/** An item of the store. */
export type StoreItemArgs = ServerArgs & {
  /** Labels of the namespace, without dots. Other ones replace the item. */
  namespace: pulumi.Input<pulumi.Input<string>[]>;
  /** Name of the item in its namespace. Another one replaces it. */
  key: pulumi.Input<string>;
  /** Value of the item. */
  value: pulumi.Input<Record<string, unknown>>;
  /** Paths in the value by which a search finds the item, or false for none. */
  index?: pulumi.Input<false | string[] | null>;
  /** Minutes after which the item expires. */
  ttl?: pulumi.Input<number | null>;
  /**
   * When this resource may overwrite and delete an item that others have written: only with "always". With "never", it also
   * refuses the item of its own interrupted create.
   */
  adopt?: pulumi.Input<"never" | "ifOwned" | "always">;
};

/**
 * One item of a deployment's store: memory that graphs read and write (`PUT /store/items`, `DELETE /store/items`).
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
  /** Type token; policies match the resource by it. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:StoreItem";

  declare readonly namespace: pulumi.Output<string[]>;
  declare readonly key: pulumi.Output<string>;
  declare readonly value: pulumi.Output<Record<string, unknown>>;

  constructor(name: string, args: StoreItemArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, args, opts);
  }

  /** Whether the value is a `StoreItem`, also one from another copy of this package. */
  static override isInstance(value: unknown): value is StoreItem {
    return isOfType(value, StoreItem.__pulumiType);
  }
}

const kind = {
  className: "StoreItem",
  type: StoreItem.__pulumiType,
  provider: "storeItem",
  properties: ["namespace", "key", "value", "index", "ttl", "adopt"],
};

import type * as pulumi from "@pulumi/pulumi";
import { AgentServerResource, isOfType } from "./resource";
import type { ServerArgs } from "./server-args";

/** An item of the store. */
export type StoreItemArgs = ServerArgs & {
  /** Labels that lead to the item, without dots. Other ones replace it. */
  namespace: pulumi.Input<pulumi.Input<string>[]>;
  /** Name of the item in its namespace. Another one replaces it. */
  key: pulumi.Input<string>;
  /** What the item says. */
  value: pulumi.Input<Record<string, unknown>>;
  /** False for an item that no search finds by its contents, or the paths in the value that one does. */
  index?: pulumi.Input<false | string[] | null>;
  /** Minutes after which the item is gone. */
  ttl?: pulumi.Input<number | null>;
  /**
   * Whether an item that is there and says something else is taken over: only with "always". One that says the same is
   * taken over anyway.
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

import type * as pulumi from "@pulumi/pulumi";
import { fromProject } from "../project-path";
import { AgentServerResource, isOfType } from "./resource";
import type { ServerArgs } from "./server-args";

/** The items of one namespace: of a map, or of a folder. */
export type StoreItemsArgs = ServerArgs & {
  /** Labels that lead to the items, without dots. Other ones replace them. */
  namespace: pulumi.Input<pulumi.Input<string>[]>;
  /** The items by their keys. */
  items?: pulumi.Input<Record<string, pulumi.Input<Record<string, unknown>>>>;
  /**
   * A folder in place of `items`, from the project's folder: the object in `a/b.json` is the item `a/b`, and any other text
   * file is an item `{ content }` under its path.
   */
  folder?: pulumi.Input<string>;
  /** False for items that no search finds by their contents, or the paths in their values that one does. */
  index?: pulumi.Input<false | string[] | null>;
  /** Minutes after which the items are gone. */
  ttl?: pulumi.Input<number | null>;
  /** Whether items that are taken out of the map or the folder are deleted. By default they are. */
  prune?: pulumi.Input<boolean>;
  /** Whether items that are there and say something else are taken over: only with "always". */
  adopt?: pulumi.Input<"never" | "ifOwned" | "always">;
};

/**
 * Many items of a deployment's store, as one resource: only those that change are sent (`PUT /store/items`,
 * `DELETE /store/items`). Items of others in the same namespace stay as they are.
 *
 * @example
 * new StoreItems("handbook", { deployment: agent, namespace: ["handbook"], folder: "./handbook" });
 */
export class StoreItems extends AgentServerResource {
  /** Type token; policies match the resource by it. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:StoreItems";

  declare readonly namespace: pulumi.Output<string[]>;
  /** The hash of each item's value, by its key. */
  declare readonly itemHashes: pulumi.Output<Record<string, string> | undefined>;

  constructor(name: string, args: StoreItemsArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, withFolder(args), opts);
  }

  /** Whether the value is a `StoreItems`, also one from another copy of this package. */
  static override isInstance(value: unknown): value is StoreItems {
    return isOfType(value, StoreItems.__pulumiType);
  }
}

/** A folder counts from the project's, and reaches the provider as a path from where both processes run. */
function withFolder(args: StoreItemsArgs): StoreItemsArgs {
  // A program in JavaScript may forget them.
  return (args as StoreItemsArgs | undefined)?.folder === undefined
    ? args
    : { ...args, folder: fromProject(args.folder!) };
}

const kind = {
  className: "StoreItems",
  type: StoreItems.__pulumiType,
  provider: "storeItems",
  properties: ["namespace", "items", "folder", "index", "ttl", "prune", "adopt", "itemHashes"],
};

import type * as pulumi from "@pulumi/pulumi";
import { fromProject } from "../project-path";
import { AgentServerResource, isOfType } from "./resource";
import type { ServerArgs } from "./server-args";

/** The items of one namespace: of a map, or of a folder. */
export type StoreItemsArgs = ServerArgs & {
  /** Labels of the namespace, without dots. Other ones replace the items. */
  namespace: pulumi.Input<pulumi.Input<string>[]>;
  /** The items by their keys. */
  items?: pulumi.Input<Record<string, pulumi.Input<Record<string, unknown>>>>;
  /**
   * A folder instead of `items`, relative to the project's folder: the object in `a/b.json` is the item `a/b`, and any other
   * text file is an item `{ content }` under its path.
   */
  folder?: pulumi.Input<string>;
  /** True if the folder may be empty, which deletes all items. By default an empty folder is refused. */
  allowEmpty?: pulumi.Input<boolean>;
  /** Paths in the values by which a search finds the items, or false for none. */
  index?: pulumi.Input<false | string[] | null>;
  /** Minutes after which the items expire. */
  ttl?: pulumi.Input<number | null>;
  /** True if items that are removed from the map or the folder are deleted. This is the default. */
  prune?: pulumi.Input<boolean>;
  /**
   * When this resource may overwrite and delete items that others have written: only with "always". With "never", it also
   * refuses the items of its own interrupted create.
   */
  adopt?: pulumi.Input<"never" | "ifOwned" | "always">;
};

/**
 * Many items of a deployment's store, as one resource: only those that change are sent (`PUT /store/items`,
 * `DELETE /store/items`). Items of others in the same namespace are not changed.
 *
 * @example
 * new StoreItems("handbook", { deployment: agent, namespace: ["handbook"], folder: "./handbook" });
 */
export class StoreItems extends AgentServerResource {
  /** Type token; policies match the resource by it. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:StoreItems";

  declare readonly namespace: pulumi.Output<string[]>;
  /** The hash of each item's value, by its key; secret if any item is. */
  declare readonly itemHashes: pulumi.Output<Record<string, string> | undefined>;

  constructor(name: string, args: StoreItemsArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, withFolder(args), opts);
  }

  /** Whether the value is a `StoreItems`, also one from another copy of this package. */
  static override isInstance(value: unknown): value is StoreItems {
    return isOfType(value, StoreItems.__pulumiType);
  }
}

/** Resolves the folder against the project's and passes it as a path from where both processes run. */
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
  properties: ["namespace", "items", "folder", "allowEmpty", "index", "ttl", "prune", "adopt", "itemHashes"],
};

import type * as pulumi from "@pulumi/pulumi";
import { toWorkingPath } from "../project-paths";
import { isOfType } from "../registration";
import { AgentServerResource, type ResourceClass } from "./resource";
import type { ServerArgs } from "./server-args";

/** Arguments of the items in one namespace, specified as a map or as a folder. */
export type StoreItemsArgs = ServerArgs & {
  /** Labels of the namespace, without dots. Changing them replaces the items. */
  namespace: pulumi.Input<pulumi.Input<string>[]>;
  /** Items by key. */
  items?: pulumi.Input<Record<string, pulumi.Input<Record<string, unknown>>>>;
  /**
   * Folder to use instead of `items`, relative to the project's folder. The object in `a/b.json` becomes the item
   * `a/b`; any other text file becomes an item `{ content }` whose key is its path.
   */
  folder?: pulumi.Input<string>;
  /** True if the folder may be empty, which deletes all items. By default, an empty folder is an error. */
  allowEmpty?: pulumi.Input<boolean>;
  /** Paths in the values that are indexed for search, or false for none. */
  index?: pulumi.Input<false | string[] | null>;
  /** Minutes after which the items expire. */
  ttl?: pulumi.Input<number | null>;
  /** True if items that are removed from the map or folder are deleted. This is the default. */
  prune?: pulumi.Input<boolean>;
  /**
   * Specifies when this resource may overwrite and delete items that others have written: only with "always". "never"
   * also rejects the items of its own interrupted create.
   */
  adopt?: pulumi.Input<"never" | "ifOwned" | "always">;
};

/**
 * Items of a deployment's store, managed as one resource that only sends the items that change (`PUT /store/items`,
 * `DELETE /store/items`). Other items in the namespace are not changed.
 *
 * @example
 * new StoreItems("handbook", { deployment: agent, namespace: ["handbook"], folder: "./handbook" });
 */
export class StoreItems extends AgentServerResource {
  /** Type token, by which policies match the resource. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:StoreItems";

  declare readonly namespace: pulumi.Output<string[]>;
  /** Hash of each item's value, by key; secret if any item is secret. */
  declare readonly itemHashes: pulumi.Output<Record<string, string> | undefined>;

  constructor(name: string, args: StoreItemsArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, withWorkingPath(args), opts);
  }

  /** True if the value is a `StoreItems`, including one created by another copy of this package. */
  static override isInstance(value: unknown): value is StoreItems {
    return isOfType(value, "StoreItems");
  }
}

/** Converts the folder to a path relative to the working directory of this process and the provider. */
function withWorkingPath(args: StoreItemsArgs): StoreItemsArgs {
  // JavaScript programs may omit the arguments.
  return (args as StoreItemsArgs | undefined)?.folder === undefined
    ? args
    : { ...args, folder: toWorkingPath(args.folder!) };
}

const kind: ResourceClass = {
  className: "StoreItems",
  provider: "storeItems",
  properties: ["namespace", "items", "folder", "allowEmpty", "index", "ttl", "prune", "adopt", "itemHashes"],
};

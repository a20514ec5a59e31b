import type * as pulumi from "@pulumi/pulumi";
import { toWorkingPath } from "../project-paths";
import { isOfType } from "../registration";
import { AgentServerResource, type ResourceClass } from "./resource";
import type { ServerArgs } from "./server-args";

/** Arguments of the items in one namespace, specified as a map or as a folder. */
export type StoreItemsArgs = ServerArgs & {
  /** Labels of the namespace; they cannot contain dots. Changing them replaces the items. */
  namespace: pulumi.Input<pulumi.Input<string>[]>;
  /** Items by key. */
  items?: pulumi.Input<Record<string, pulumi.Input<Record<string, unknown>>>>;
  /**
   * Folder to use instead of `items`, relative to the project's folder. A JSON file such as `a/b.json` that contains an
   * object becomes the item `a/b`. Any other text file becomes an item with its path as the key and `{ content }` as
   * the value.
   */
  folder?: pulumi.Input<string>;
  /**
   * True if the folder may be empty. An update with an empty folder deletes all items. By default, an empty folder is
   * an error.
   */
  allowEmpty?: pulumi.Input<boolean>;
  /** Paths within the values to index for search, or `false` to index nothing. */
  index?: pulumi.Input<false | string[] | null>;
  /** Number of minutes after which the items expire. */
  ttl?: pulumi.Input<number | null>;
  /** True to delete items that are removed from the map or folder. @default true */
  prune?: pulumi.Input<boolean>;
  /**
   * Specifies when existing items are adopted. Only `"always"` allows this resource to overwrite and delete items that
   * others have written. `"never"` also rejects items that an interrupted create of this resource has written.
   */
  adopt?: pulumi.Input<"never" | "ifOwned" | "always">;
};

/**
 * Items of a deployment's store, managed as one resource that sends only changed items (`PUT /store/items`, `DELETE
 * /store/items`). Other items in the namespace are not changed.
 *
 * @example
 * new StoreItems("handbook", { deployment: agent, namespace: ["handbook"], folder: "./handbook" });
 */
export class StoreItems extends AgentServerResource {
  /** Type token, which policies use to match the resource. */
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

/**
 * Converts the folder to a path relative to the working directory of this process. The provider has the same working
 * directory.
 */
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

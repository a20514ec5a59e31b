import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import type { ServerArgs } from "../agent-server/server-args";
import { type LookUpServer, serverOf, serverOutput } from "./lookup-server";
import { lookups } from "./lookups";

/** Arguments of `getStoreItem`. */
export type GetStoreItemArgs = LookUpServer & {
  /** Labels of the namespace. */
  namespace: string[];
  /** Key of the item in its namespace. */
  key: string;
};

/** Item of the store. */
export interface GetStoreItemResult {
  /** Labels of the namespace. */
  namespace: string[];
  /** Key of the item. */
  key: string;
  /** Value of the item. */
  value: Record<string, unknown>;
}

/**
 * Looks up an item of the store (`GET /store/items`) without extending its time to live. Fails if there is none. Graphs
 * can write any value; wrap it in `pulumi.secret` if it may be secret.
 */
export async function getStoreItem(args: GetStoreItemArgs): Promise<GetStoreItemResult> {
  const { namespace, key } = args;
  // Agent servers join labels with dots, so a label with a dot would find an item of another namespace.
  if (namespace.length === 0 || namespace.some((label) => label === "" || label.includes(".")))
    throw new Error(
      `getStoreItem: namespace must have at least one label, and no label may be empty or contain a dot: ${JSON.stringify(namespace)}.`,
    );
  const item = await lookups().storeItem(serverOf(args), namespace, key);
  return { namespace: item.namespace, key: item.key, value: item.value };
}

/** Output version of `getStoreItem`. */
export function getStoreItemOutput(
  args: ServerArgs & { namespace: pulumi.Input<pulumi.Input<string>[]>; key: pulumi.Input<string> },
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetStoreItemResult> {
  const { namespace, key } = args;
  const resolved = pulumi.all([serverOutput(args), pulumi.output({ namespace, key })]);
  return afterDependencies(resolved, options).apply(([server, item]) => getStoreItem({ ...server, ...item }));
}

import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import type { ServerArgs } from "../agent-server/server-args";
import { type LookUpServer, serverOf, serverOutput } from "./lookup-server";
import { run } from "./run";

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
 * Looks up an item of the store (`GET /store/items`) without extending its time to live. Fails if the item does not
 * exist. Graphs can write any value; mark the value as a secret if it may be sensitive.
 */
export async function getStoreItem(args: GetStoreItemArgs): Promise<GetStoreItemResult> {
  const { namespace, key } = args;
  return run("getStoreItem", { ...serverOf(args), namespace, key });
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

import * as pulumi from "@pulumi/pulumi";
import type { ServerArgs } from "../agent-server/server-args";
import { placeOf, placeOutput } from "./server-place";
import type { LookUpServer } from "./look-up-server";
import { lookUps } from "./look-ups";

/** Which item of the store to look up. */
export type GetStoreItemArgs = LookUpServer & {
  /** Labels that lead to it. */
  namespace: string[];
  key: string;
};

/** An item of the store. */
export interface GetStoreItemResult {
  namespace: string[];
  key: string;
  value: Record<string, unknown>;
}

/**
 * Looks up an item of the store (`GET /store/items`), without prolonging its life. Fails when there is none.
 * The value is whatever the graph has put there: wrap it in `pulumi.secret` where that may be a secret.
 */
export async function getStoreItem(args: GetStoreItemArgs): Promise<GetStoreItemResult> {
  const { namespace, key } = args;
  // Agent servers join labels with dots: one that holds a dot would find the item of another namespace.
  if (namespace.length === 0 || namespace.some((label) => label === "" || label.includes(".")))
    throw new Error(
      `getStoreItem: namespace must have one label at least, none of them empty or with a dot, and is ${JSON.stringify(namespace)}.`,
    );
  const item = await lookUps().storeItem(placeOf(args), namespace, key);
  return { namespace: item.namespace, key: item.key, value: item.value };
}

/** Like `getStoreItem`, for arguments that are known only later. */
export function getStoreItemOutput(
  args: ServerArgs & { namespace: pulumi.Input<pulumi.Input<string>[]>; key: pulumi.Input<string> },
): pulumi.Output<GetStoreItemResult> {
  const { namespace, key } = args;
  return pulumi
    .all([placeOutput(args), pulumi.output({ namespace, key })])
    .apply(([server, item]) => getStoreItem({ ...server, ...item }));
}

import type { ControlPlaneClient } from "../../provider/control-plane/client";
import type { ReportedRecord } from "./unmanaged";

/** Deployments that are asked about at the same time. */
const atOnce = 6;

/** The workspace's deployments with all that the server reports of each, in the server's order. */
export async function readWorkspace(
  client: ControlPlaneClient,
  signal: AbortSignal,
): Promise<ReportedRecord[]> {
  const listed = await client.deployments.list(signal);
  const records: (ReportedRecord | undefined)[] = [];
  for (let start = 0; start < listed.length; start += atOnce) {
    const some = listed.slice(start, start + atOnce);
    records.push(...(await Promise.all(some.map(({ id }) => client.deployments.findWhole(id, signal)))));
  }
  // One that has gone since it was listed needs no word.
  return records.filter((record) => record !== undefined);
}

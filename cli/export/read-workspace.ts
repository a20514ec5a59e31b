import type { ControlPlaneClient } from "../../provider/control-plane/client";
import { mapConcurrently } from "../../provider/map-concurrently";
import type { ReportedRecord } from "./unmanaged-fields";

/** Maximum number of deployments that are read at the same time. */
const concurrency = 6;

/** Returns the workspace's deployments with everything that the server reports, in the server's order. */
export async function readWorkspace(
  client: ControlPlaneClient,
  signal: AbortSignal,
): Promise<ReportedRecord[]> {
  const listed = await client.deployments.list(signal);
  const records = await mapConcurrently(listed, concurrency, ({ id }) =>
    client.deployments.findWhole(id, signal),
  );
  // Deployments that were deleted since they were listed are ignored.
  return records.filter((record) => record !== undefined);
}

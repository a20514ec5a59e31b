import { startControlPlane } from "agentserver-emulator";

/** Prints the connection settings of a local control plane, and closes it. */
export async function printConnection(): Promise<void> {
  const plane = await startControlPlane({ state: ".agentserver/state", rollout: "real" });
  console.log(plane.baseUrl, plane.apiKey, plane.tenantId);
  await plane.close();
}

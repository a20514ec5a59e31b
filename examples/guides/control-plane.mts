import { startControlPlane } from "agentserver-emulator";

const plane = await startControlPlane({ state: ".agentserver/state", rollout: "real" });
console.log(plane.baseUrl, plane.apiKey, plane.tenantId);
await plane.close();

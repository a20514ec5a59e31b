import { startControlPlane, VirtualClock } from "agentserver-emulator";

const clock = new VirtualClock();
const plane = await startControlPlane({ clock });

// The pace can also be "at once", "step by step", or { afterReads: 5 }.
plane.admin.steer({ deployment: "agent", pace: { afterSeconds: 1800 } });
// Applies only to the next rollout.
plane.admin.steer({ verdict: "BUILD_FAILED", reason: "no such ref", times: 1 });
plane.admin.steer({ deployment: "agent", statuses: ["BUILDING", "NEVER_HEARD_OF", "DEPLOYED"] });
plane.admin.fault({ kind: "reset", when: "after", method: "POST", path: "/v2/deployments" });
plane.admin.fault({ kind: "status", status: 503, retryAfter: 2, times: 3 });

// Alternatively, let the tested client wait with clock.advancingSleep.
await clock.advance(30 * 60_000);
// Secrets are masked, and API keys are never included.
plane.admin.journal({ writes: true });
// Includes requests to agent servers, without their bodies.
plane.admin.journal({ agents: true });

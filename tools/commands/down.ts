import { existsSync } from "node:fs";
import { ensureBuilt } from "../build/ensure-built";
import { runCommand } from "../command";
import { ensureEngine } from "../engine/ensure";
import { findControlPlane, startControlPlane, stopControlPlane } from "../quickstart/control-plane";
import { ensurePacked } from "../quickstart/packed";
import { places } from "../quickstart/places";
import { Stack } from "../quickstart/stack";

void runCommand(async ({ signal, progress }) => {
  if (!existsSync(places.controlPlane)) {
    console.log("Nothing to do: `npm run up` has not run here.");
    return 0;
  }
  await ensureBuilt({ signal, progress });
  await ensurePacked(signal);
  const engine = await ensureEngine({ signal, progress });
  // The deployments live in the control plane's state, so it has to run to let go of them.
  const running = await findControlPlane();
  const plane =
    running ?? (await progress.step("starting the local control plane", () => startControlPlane(signal)));
  let code = 0;
  try {
    const stack = new Stack(engine, plane, signal);
    if (await stack.exists()) code = await stack.destroy();
  } finally {
    if (!running || code === 0) await stopControlPlane(plane.processId);
  }
  if (code === 0) console.log("The stack is destroyed and the local control plane has stopped.");
  return code;
});

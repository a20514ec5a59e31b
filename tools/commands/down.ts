import { existsSync, rmSync } from "node:fs";
import { ensureBuilt } from "../build/ensure-built";
import { runCommand, type CommandContext } from "../command";
import { ensureEngine } from "../dev-engine/ensure";
import { withLock } from "../lock.cjs";
import { findControlPlane, startControlPlane, stopControlPlane } from "../quickstart/control-plane";
import { ensurePacked } from "../quickstart/packed";
import { paths, startedExamples } from "../quickstart/paths";
import { Stack } from "../quickstart/stack";

void runCommand(async (context) => {
  const { signal, progress } = context;
  if (!existsSync(paths.controlPlane)) {
    console.log("Nothing to do: `npm run up` is not active in this checkout.");
    return 0;
  }
  await ensureBuilt({ signal, progress });
  const onWait = (owner: number) =>
    progress.writeLine(`Waiting for process ${owner}, which is using the stack.`);
  return withLock(paths.lock, () => down(context), { signal, onWait });
});

async function down({ signal, progress }: CommandContext): Promise<number> {
  await ensurePacked(signal);
  const engine = await ensureEngine({ signal, progress });
  // The control plane has to run to delete the deployments.
  const running = await findControlPlane();
  const plane =
    running ?? (await progress.step("starting the local control plane", () => startControlPlane(signal)));
  let code = 1;
  try {
    code = 0;
    for (const example of startedExamples()) {
      const stack = new Stack(example, engine, plane, signal);
      if (code === 0 && (await stack.exists())) code = await destroy(stack);
    }
  } finally {
    if (!running || code === 0) await stopControlPlane(plane.processId);
  }
  if (code !== 0) return code;
  // These folders contain the port, the key, and all committed copies of the agent.
  for (const folder of [paths.controlPlane, ...startedExamples().map((one) => one.agentRepository)])
    rmSync(folder, { recursive: true, force: true });
  console.log("The stack is destroyed and the local control plane has stopped.");
  return 0;
}

async function destroy(stack: Stack): Promise<number> {
  await stack.unlock();
  return stack.destroy();
}

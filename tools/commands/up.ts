import { ensureBuilt } from "../build/ensure-built";
import { runCommand } from "../command";
import { ensureEngine } from "../engine/ensure";
import { commitAgent } from "../quickstart/agent-source";
import { findControlPlane, startControlPlane, stopControlPlane } from "../quickstart/control-plane";
import { ensurePacked } from "../quickstart/packed";
import { places } from "../quickstart/places";
import { ask } from "../quickstart/question";
import { Stack } from "../quickstart/stack";

const question = "What do you do?";

void runCommand(async ({ signal, progress }) => {
  await ensureBuilt({ signal, progress });
  await ensurePacked(signal);
  const engine = await ensureEngine({ signal, progress });
  const running = await findControlPlane();
  const plane =
    running ?? (await progress.step("starting the local control plane", () => startControlPlane(signal)));
  try {
    const stack = new Stack(engine, plane, signal);
    const repoRef = await commitAgent(signal);
    const before = (await stack.exists()) ? (await stack.inspect()).outputs : await stack.create();
    const code = await stack.up({ repoUrl: places.agentRepository, repoRef });
    if (code !== 0) return code;
    const { outputs: after, interrupted } = await stack.inspect();
    if (interrupted) await stack.forgetInterrupted();
    if (!after) throw new Error("The stack has no url; look at what `pulumi up` says above.");
    if (before && before.revisionId === after.revisionId)
      console.log("Nothing changed: the deployed agent is up to date.");
    console.log(`\nYou:   ${question}`);
    console.log(`Agent: ${await ask(after.url, plane, question)}\n`);
    console.log(`The agent keeps running at ${after.url}`);
    console.log(
      `Edit examples/quickstart/agent and run \`npm run up\` again, or end it with \`npm run down\`.`,
    );
    return 0;
  } catch (error) {
    // What runs already when this run began is somebody else's to stop.
    if (signal.aborted && !running) await stopControlPlane(plane.processId);
    throw error;
  }
});

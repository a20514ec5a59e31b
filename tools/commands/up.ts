import { ensureBuilt } from "../build/ensure-built";
import { runCommand, type CommandContext } from "../command";
import { ensureEngine } from "../engine/ensure";
import { withLock } from "../lock.cjs";
import { commitAgent } from "../quickstart/agent-source";
import {
  findControlPlane,
  pageLink,
  startControlPlane,
  stopControlPlane,
  type LocalControlPlane,
} from "../quickstart/control-plane";
import { ensurePacked } from "../quickstart/packed";
import { type Example, exampleIn, places } from "../quickstart/places";
import type * as Question from "../quickstart/question";
import { Stack } from "../quickstart/stack";

const question = "What do you do?";

void runCommand(async (context) => {
  const { signal, progress } = context;
  const example = exampleIn(context.arguments);
  await ensureBuilt({ signal, progress });
  const onWait = (owner: number) =>
    progress.say(`Waiting for process ${owner}, which works on the same stack.`);
  return withLock(places.lock, () => up(example, context), { signal, onWait });
});

async function up(example: Example, { signal, progress }: CommandContext): Promise<number> {
  await ensurePacked(signal);
  const engine = await ensureEngine({ signal, progress });
  const running = await findControlPlane();
  const plane =
    running ?? (await progress.step("starting the local control plane", () => startControlPlane(signal)));
  try {
    const code = await deploy(example, new Stack(example, engine, plane, signal), plane, signal);
    if (code !== 0)
      console.log(`The local control plane keeps running at ${plane.baseUrl}; \`npm run down\` ends it.`);
    return code;
  } catch (error) {
    // What ran already when this run began is somebody else's to stop.
    if (signal.aborted && !running) await stopControlPlane(plane.processId);
    throw error;
  }
}

async function deploy(
  example: Example,
  stack: Stack,
  plane: LocalControlPlane,
  signal: AbortSignal,
): Promise<number> {
  const repoRef = await commitAgent(example, signal);
  if (!(await stack.exists())) await stack.create();
  await stack.unlock();
  const before = await stack.inspect();
  const upped = stack.up({ repoUrl: example.agentRepository, repoRef });
  // The client takes a while to load, and the engine is at work meanwhile.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { ask } = require("../quickstart/question") as typeof Question;
  const code = await upped;
  if (code !== 0) return code;
  const { outputs, interrupted, version } = await stack.inspect();
  if (!outputs) throw new Error("The stack has no url; look at what `pulumi up` says above.");
  if (interrupted) await stack.forgetInterrupted();
  if (version === before.version) console.log("Nothing changed: the deployed agent is up to date.");
  console.log(`\nYou:   ${question}`);
  console.log(`Agent: ${await ask(outputs.url, plane, question)}\n`);
  console.log(`The agent keeps running at ${outputs.url}`);
  console.log(`Watch it: ${await pageLink(plane)} (opens once, within ten minutes)`);
  const again = example.name === "quickstart" ? "npm run up" : `npm run up -- --example ${example.name}`;
  console.log(
    `Edit examples/${example.name}/agent and run \`${again}\` again, or end it with \`npm run down\`.`,
  );
  return 0;
}

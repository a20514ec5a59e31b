import { ensureBuilt } from "../build/ensure-built";
import { runCommand, type CommandContext } from "../command";
import { ensureEngine } from "../dev-engine/ensure";
import { withLock } from "../lock.cjs";
import { ensurePythonProgram } from "../python/program";
import { commitAgent } from "../quickstart/agent-source";
import {
  findControlPlane,
  consoleLink,
  startControlPlane,
  stopControlPlane,
  type LocalControlPlane,
} from "../quickstart/control-plane";
import { ensurePacked } from "../quickstart/packed";
import { type Example, selectExample, paths } from "../quickstart/paths";
import type * as Question from "../quickstart/question";
import { Stack } from "../quickstart/stack";

const question = "What do you do?";

void runCommand(async (context) => {
  const { signal, progress } = context;
  const example = selectExample(context.arguments);
  await ensureBuilt({ signal, progress });
  const onWait = (owner: number) =>
    progress.writeLine(`Waiting for process ${owner}, which is using the stack.`);
  return withLock(paths.lock, () => up(example, context), { signal, onWait });
});

async function up(example: Example, { signal, progress }: CommandContext): Promise<number> {
  await ensurePacked(signal);
  const engine = await ensureEngine({ signal, progress });
  const running = await findControlPlane();
  const plane =
    running ?? (await progress.step("starting the local control plane", () => startControlPlane(signal)));
  try {
    const python =
      example.language === "python"
        ? await ensurePythonProgram(paths.pythonSdk, { env: process.env, signal, progress })
        : undefined;
    const stack = new Stack(example, engine, plane, signal, python);
    const code = await deploy(example, stack, plane, signal);
    if (code !== 0)
      console.log(
        `The local control plane keeps running at ${plane.baseUrl}. Stop it with \`npm run down\`.`,
      );
    const { forStack, forOthers } = stack.writeShellSettings();
    console.log(
      `To run \`pulumi\` or \`npx agentserver\` commands for this stack, first run \`${forStack}\` in your shell. For your own programs, run \`${forOthers}\` instead.`,
    );
    return code;
  } catch (error) {
    // A control plane that was already running is not stopped.
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
  const update = stack.up({ repoUrl: example.agentRepository, repoRef });
  // Loading the client takes a while, so it is loaded while the engine runs.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { ask } = require("../quickstart/question") as typeof Question;
  const code = await update;
  if (code !== 0) return code;
  const { outputs, interrupted, version } = await stack.inspect();
  if (!outputs) throw new Error("The stack has no output `url`. See the output of `pulumi up` above.");
  if (interrupted) await stack.clearPendingOperations();
  if (version === before.version) console.log("Nothing changed: the deployed agent is up to date.");
  console.log(`\nYou:   ${question}`);
  console.log(`Agent: ${await ask(outputs.url, plane, question)}\n`);
  console.log(`The agent keeps running at ${outputs.url}`);
  console.log(
    process.stdout.isTTY
      ? `Web console: ${await consoleLink(plane)} (the link works once, within ten minutes)`
      : `Web console: ${plane.baseUrl} (run this command in a terminal to get a link that signs you in)`,
  );
  const again = example.name === "quickstart" ? "npm run up" : `npm run up -- --example ${example.name}`;
  console.log(
    `Edit examples/${example.name}/agent and run \`${again}\` again, or stop it with \`npm run down\`.`,
  );
  return 0;
}

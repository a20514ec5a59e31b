import { ensureEngine } from "../../tools/dev-engine/ensure";
import { commitAgent } from "../../tools/quickstart/agent-source";
import { findControlPlane } from "../../tools/quickstart/control-plane";
import { selectExample } from "../../tools/quickstart/paths";
import { Stack } from "../../tools/quickstart/stack";

/** Runs only `pulumi up` of the quickstart's stack, and prints the duration in seconds on the last line. */
async function main(): Promise<void> {
  const { signal } = new AbortController();
  const example = selectExample([]);
  const plane = await findControlPlane();
  if (!plane) throw new Error("The local control plane does not run.");
  const stack = new Stack(example, await ensureEngine(), plane, signal);
  const settings = { repoUrl: example.agentRepository, repoRef: await commitAgent(example, signal) };
  const began = performance.now();
  const code = await stack.up(settings);
  console.log(((performance.now() - began) / 1_000).toFixed(3));
  process.exitCode = code;
}

void main();

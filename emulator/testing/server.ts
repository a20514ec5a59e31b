import { createInterface } from "node:readline";
import {
  startTestControlPlane,
  type TestControlPlane,
  type TestControlPlaneOptions,
} from "./test-control-plane";

/** Command on standard input: one JSON object per line. */
type Command = { start: TestControlPlaneOptions } | { stop: string };

/** Running control planes, keyed by their URLs. */
const planes = new Map<string, TestControlPlane>();

/** Starts or stops a control plane, and returns the response. */
async function execute(command: Command): Promise<object> {
  if ("stop" in command) {
    const plane = planes.get(command.stop);
    planes.delete(command.stop);
    await plane?.close();
    return {};
  }
  const plane = await startTestControlPlane({ ...command.start, admin: true });
  planes.set(plane.baseUrl, plane);
  const { baseUrl, apiKey, tenantId } = plane;
  return { baseUrl, apiKey, tenantId };
}

/**
 * Serves the control planes of a test suite in another language. Each line on standard input is a command, and results
 * in one line on standard output. Ends when standard input is closed, which also happens if the test suite is killed.
 */
async function main(): Promise<void> {
  // Ctrl-C also reaches the test suite, whose teardown still needs the control planes.
  process.on("SIGINT", () => undefined);
  for await (const line of createInterface({ input: process.stdin })) {
    const response = await execute(JSON.parse(line) as Command).catch((error: unknown) => ({
      error: (error as Error).message,
    }));
    process.stdout.write(`${JSON.stringify(response)}\n`);
  }
  await Promise.all([...planes.values()].map((plane) => plane.close()));
}

void main();

import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "./operations";
import type { AgentServer } from "./servers";
import { eventsOf, type Shape, shapeOf } from "./shape";

/** Maximum time in milliseconds to wait for a response. */
const maxWaitMs = 60_000;

/** Sends all sequences to a server, keeping the order within each sequence. Returns the shapes of the responses. */
export async function shapesOf(server: AgentServer, sequences: readonly Step[][]): Promise<Shape[]> {
  return (await Promise.all(sequences.map((sequence) => shapesOfSequence(server, sequence)))).flat();
}

async function shapesOfSequence(server: AgentServer, sequence: readonly Step[]): Promise<Shape[]> {
  const kept = new Map<string, string>();
  const shapes: Shape[] = [];
  for (const step of sequence) {
    const { status, type, body } = await answerTo(server, step, kept);
    for (const [name, field] of Object.entries(step.keep ?? {})) kept.set(name, String(valueAt(body, field)));
    shapes.push(shapeOf(status, type, body));
  }
  return shapes;
}

interface Answer {
  status: number;
  type: string | null;
  body: unknown;
}

async function answerTo(server: AgentServer, step: Step, kept: ReadonlyMap<string, string>): Promise<Answer> {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const answer = await send(server, step, kept);
    if (!step.until || step.until(answer.body)) return answer;
    if (performance.now() > deadline)
      throw new Error(`Not as expected: ${step.what}: ${JSON.stringify(answer.body)}`);
    await sleep(100);
  }
}

async function send(
  { url, headers }: AgentServer,
  { method, path, body }: Step,
  kept: ReadonlyMap<string, string>,
): Promise<Answer> {
  const filled = (text: string) => text.replace(/\{(\w+)\}/g, (hole, name: string) => kept.get(name) ?? hole);
  const answer = await fetch(`${url}${filled(path)}`, {
    method,
    headers: {
      ...headers,
      // The public server closes idle connections after a few seconds, possibly at the moment when one is reused.
      connection: "close",
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: filled(JSON.stringify(body)) }),
    signal: AbortSignal.timeout(maxWaitMs),
  });
  const text = await answer.text();
  const type = answer.headers.get("content-type");
  return { status: answer.status, type, body: bodyOf(type, text) };
}

function bodyOf(type: string | null, text: string): unknown {
  if (type?.startsWith("text/event-stream")) return eventsOf(text);
  if (!type?.startsWith("application/json") || text === "") return text === "" ? undefined : "text";
  return JSON.parse(text);
}

function valueAt(body: unknown, path: string): unknown {
  return path.split(".").reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
}

import { setTimeout as sleep } from "node:timers/promises";
import { shortText } from "../../bounded-bytes";
import { internalApiHeaders } from "../internal-api-headers";
import type { RunningAgent } from "../rollout";
import type { GraphConfiguration } from "./graph-configuration";

const pollEveryMs = 100;
const answerWithinMs = 5000;

/** Health checks that remember the last failure, so that a timeout can report it. */
export interface HealthGate {
  /** Resolves when all checks have passed. Rejects only if `signal` aborts. */
  passed(signal: AbortSignal): Promise<void>;
  obstacle: () => string;
}

/** Creates the health gate that a started agent server must pass before it receives requests. */
export function healthGate(agent: Address, checks: readonly Check[]): HealthGate {
  let obstacle = "it has not been queried yet";
  return {
    obstacle: () => obstacle,
    async passed(signal) {
      for (const check of checks) {
        for (;;) {
          signal.throwIfAborted();
          const fault = await faultOf(agent, check, signal);
          if (fault === undefined) break;
          obstacle = fault;
          await sleep(pollEveryMs, undefined, { signal });
        }
      }
    },
  };
}

type Address = Pick<RunningAgent, "origin" | "internalApi">;

interface Answer {
  status: number;
  text: string;
}

/** Health check: a request, and a function that accepts or rejects the response. */
interface Check {
  method: "GET" | "POST";
  path: string;
  body?: unknown;
  accept(answer: Answer): boolean;
}

/** Check that works with any agent server. */
export const okCheck: Check = { method: "GET", path: "/ok", accept: ({ status }) => status === 200 };

/** Returns the checks for the server and for each graph of a project. */
export function checksFor({ graphs, options }: GraphConfiguration): Check[] {
  // A project with its own authentication rejects the request, which also shows that it responds.
  const guarded = options.auth?.path !== undefined;
  const fine = (answer: Answer) => answer.status === 200 || (guarded && [401, 403].includes(answer.status));
  const hidden = options.http?.["disable_meta"] === true;
  const ok: Check = { ...okCheck, accept: (answer) => fine(answer) || (hidden && answer.status === 404) };
  if (options.http?.disable_assistants === true) return [ok];
  return [
    ok,
    ...graphs.flatMap(({ id }): Check[] => [
      {
        method: "POST",
        path: "/assistants/search",
        body: { graph_id: id },
        // If the graph does not exist, the list is empty.
        accept: (answer) => fine(answer) && answer.text.trim() !== "[]",
      },
      { method: "GET", path: `/assistants/${encodeURIComponent(id)}/graph`, accept: fine },
    ]),
  ];
}

async function faultOf(
  { origin, internalApi }: Address,
  check: Check,
  signal: AbortSignal,
): Promise<string | undefined> {
  const name = `${check.method} ${check.path}`;
  try {
    const response = await fetch(origin + check.path, {
      method: check.method,
      headers: {
        ...internalApiHeaders(internalApi),
        ...(check.body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(check.body === undefined ? {} : { body: JSON.stringify(check.body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
    });
    const answer = { status: response.status, text: await shortText(response.body) };
    return check.accept(answer)
      ? undefined
      : `${name} returned ${answer.status}: ${answer.text.slice(0, 300)}`;
  } catch (error) {
    signal.throwIfAborted();
    const { name: kind, cause, message } = error as Error;
    return kind === "TimeoutError"
      ? `${name} does not respond`
      : `${name}: ${(cause as Error | undefined)?.message ?? message}`;
  }
}

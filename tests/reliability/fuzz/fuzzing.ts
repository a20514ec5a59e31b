import { fc } from "../../properties";
import { isLongRun } from "../figures";
import { KnownIds } from "./known-ids";
import { type FuzzRequest, shown } from "./request";
import { type FuzzAnswer, type Patience, send } from "./sending";
import { findings, type Rules } from "./verdict";

/** A server that receives random requests. */
export interface Target extends Rules {
  base: string;
  /** Headers of every request. They are omitted from failure messages. */
  headers: Record<string, string>;
  /** Response fields that contain IDs. */
  kinds: ReadonlySet<string>;
  /** Operations that respond slowly because they wait for something. */
  waiting: RegExp;
  /** Creates objects that requests can refer to. Called repeatedly, because requests delete some of them. */
  plant: (known: KnownIds) => Promise<void>;
  /**
   * Sends a request to a target whose time must be advanced.
   * @default `send`
   */
  send?: typeof send;
}

/** Time limit of a client in milliseconds, after which a request is considered to hang. */
const limitMs = 30_000;

/** Time limit in milliseconds for a response that may never arrive. */
const waitingMs = 300;

/** Number of requests after which new objects are created. */
const plantedFor = 25;

/** Sends requests to a target and checks the responses. */
export class Fuzzing {
  private sent = 0;
  private readonly answered = { success: 0, refused: 0, left: 0 };
  private readonly known = new KnownIds();
  private untilPlanting = 0;

  constructor(private readonly target: Target) {}

  /** Forgets all IDs, because the objects have been deleted. */
  clear(): void {
    this.known.clear();
    this.untilPlanting = 0;
  }

  /** Sends a request. Rejects with the request as it was sent and the problems with its response, if there are any. */
  async fire(request: FuzzRequest): Promise<void> {
    if (this.untilPlanting === 0) await this.plant();
    this.untilPlanting -= 1;
    this.sent += 1;
    const filled = this.filled(request);
    const answer = await this.answer(filled);
    this.answered[!answer ? "left" : answer.status < 400 ? "success" : "refused"] += 1;
    if (!answer) return;
    if (answer.status < 300) this.learn(answer);
    const wrong = findings(filled, answer, this.target);
    if (wrong.length === 0) return;
    throw new Error(
      `${wrong.join("\n")}\n\n${shown(filled)}\n\n${answer.status} ${answer.text.slice(0, 2_000)}`,
    );
  }

  report(server: string): void {
    const { success, refused, left } = this.answered;
    const figures = `${this.sent} requests, ${success} carried out, ${refused} refused, ${left} left waiting`;
    process.stdout.write(`fuzz of ${server}: ${figures}\n`);
  }

  private async plant(): Promise<void> {
    await this.target.plant(this.known);
    this.untilPlanting = plantedFor;
  }

  private async answer(filled: FuzzRequest): Promise<FuzzAnswer | undefined> {
    const { base, headers, waiting } = this.target;
    const mayWait = waiting.test(filled.operation);
    const patience: Patience = { ms: mayWait ? waitingMs : limitMs, mayWait };
    const whole = { ...filled, headers: { ...headers, ...filled.headers } };
    try {
      return await (this.target.send ?? send)(base, whole, patience);
    } catch (error) {
      throw new Error(`No answer: ${(error as Error).message}\n\n${shown(filled)}`, { cause: error });
    }
  }

  private filled(request: FuzzRequest): FuzzRequest {
    const { target, body } = request;
    return {
      ...request,
      target: this.known.fill(target),
      ...(typeof body === "string" && { body: this.known.fill(body) }),
    };
  }

  private learn({ headers, text }: FuzzAnswer): void {
    if (!headers["content-type"]?.startsWith("application/json") || text === "" || text.length > 100_000)
      return;
    this.known.learn(JSON.parse(text), this.target.kinds);
  }
}

/** Checks a property of a single request this number of times, or ten times as often in a full test run. */
export async function everyRequest(
  requests: fc.Arbitrary<FuzzRequest>,
  fire: (request: FuzzRequest) => Promise<void>,
  times: number,
): Promise<void> {
  await fc.assert(fc.asyncProperty(requests, fire), { numRuns: isLongRun ? times * 10 : times });
}

/**
 * Checks sequences of 5 to `most` requests this number of times, or a hundred times in a full test run. After each
 * sequence, waits until the target has settled.
 */
export async function everySequence(
  requests: fc.Arbitrary<FuzzRequest>,
  target: { fuzzing: { fire(request: FuzzRequest): Promise<void> }; settle(): Promise<void> },
  { most, times }: { most: number; times: number },
): Promise<void> {
  const sequences = fc.array(requests, { minLength: 5, maxLength: most });
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      for (const request of sequence) await target.fuzzing.fire(request);
      await target.settle();
    }),
    { numRuns: isLongRun ? 100 : times },
  );
}

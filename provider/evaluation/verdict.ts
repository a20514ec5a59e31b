import { z } from "zod";
import { asJson } from "./compare";

const reason = z.string().nullish();
const share = z.number().min(0).max(1);

/**
 * Response of a judge: either a score, or only whether the answer passed. `passed: false` takes precedence over a
 * score.
 */
const judgment = z.union([
  z.looseObject({ passed: z.literal(false), reason }).transform(({ reason }) => ({ score: 0, reason })),
  z.looseObject({ score: share, reason }),
  z.looseObject({ passed: z.literal(true), reason }).transform(({ reason }) => ({ score: 1, reason })),
]);

/** Judgment of one answer. */
export interface Verdict {
  /** Score of the answer, between 0 and 1. */
  score: number;
  reason?: string | undefined;
}

/** Returns the verdict in a response, which may be JSON text; `undefined` if the response is not a verdict. */
export function readVerdict(response: unknown): Verdict | undefined {
  const found = judgment.safeParse(asJson(response)).data;
  return found && { score: found.score, ...(found.reason && { reason: found.reason }) };
}

import { at } from "../resource/inputs/values";
import { unmetExpectation } from "../deployment/rollout/expectation";
import type { EvaluationCase } from "./case";
import { schemaMismatch } from "./json-schema";

/**
 * Returns the answer in the final state of a run: the value at the path or, without a path, the text of the last
 * message, or the whole state if there are no messages.
 */
export function answerOf(values: unknown, path?: string): unknown {
  if (path !== undefined) return at(values, path);
  const messages = at(values, "messages");
  if (!Array.isArray(messages)) return values;
  const content = at(messages.at(-1), "content");
  if (!Array.isArray(content)) return content;
  const texts = content.map((part) => (typeof part === "string" ? part : at(part, "text")));
  return texts.filter((part) => typeof part === "string").join("");
}

/**
 * Returns the reason that an answer does not meet the expectation of its case; `undefined` if it does.
 * @param redact removes secrets from the values in the reason
 */
export function mismatch(
  { expect, tolerance = 0, schema }: EvaluationCase,
  answer: unknown,
  redact: (text: string) => string,
): string | undefined {
  if (answer === undefined) return "the final state contains no answer";
  if (schema !== undefined) {
    const reason = schemaMismatch(schema, asJson(answer));
    return reason !== undefined && constrainsTexts(schema) ? schemaMismatch(schema, answer) : reason;
  }
  if (typeof expect === "number") {
    const found = asNumber(answer);
    if (found === undefined) return "the answer is not a number";
    return Math.abs(found - expect) <= tolerance + roundingOf(found, expect, tolerance)
      ? undefined
      : `the answer is ${found}, not ${expect}${tolerance > 0 ? ` (tolerance ${tolerance})` : ""}`;
  }
  return unmetExpectation(expect, typeof expect === "string" ? answer : asJson(answer), redact, "answer");
}

/** True if the schema restricts text, in which case the answer itself is checked instead of the JSON value in it. */
function constrainsTexts(schema: Record<string, unknown>): boolean {
  return "enum" in schema || "const" in schema || [schema["type"]].flat().includes("string");
}

/**
 * Returns the possible rounding error of the difference between two numbers. It is limited to a small fraction of the
 * tolerance, so that numbers are compared exactly if there is no tolerance.
 */
function roundingOf(one: number, other: number, tolerance: number): number {
  return Math.min(Number.EPSILON * (Math.abs(one) + Math.abs(other)), tolerance / 1_000);
}

/** Returns the JSON value in an answer that is JSON text; returns any other answer unchanged. */
export function asJson(answer: unknown): unknown {
  if (typeof answer !== "string") return answer;
  try {
    return JSON.parse(answer) as unknown;
  } catch {
    return answer;
  }
}

function asNumber(answer: unknown): number | undefined {
  const found = typeof answer === "string" && answer.trim() !== "" ? Number(answer) : answer;
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

import { fc } from "../../properties";
import { encoded, oddText } from "./odd-values";
import type { FuzzRequest } from "./request";

const method = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");

/** Returns requests with any method to existing paths, or to similar ones. */
export function requestsAnywhere(operations: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const paths = [...new Set(operations.map((operation) => operation.split(" ")[1]!))];
  const known = fc.constantFrom(...paths).map((path) => path.split("/").slice(1));
  const part = fc.oneof(
    known.chain((parts) => fc.constantFrom(...parts)),
    fc.constantFrom("", "%", "%2f", "%ff", "..", ".", "x".repeat(2_000)),
    oddText.map(encoded),
  );
  const modification = fc.record({
    at: fc.nat(5),
    how: fc.constantFrom("replace", "add", "remove", "keep"),
    part,
  });
  return fc.tuple(method, known, modification).map(([chosen, parts, { at, how, part: odd }]) => ({
    operation: `${chosen} elsewhere`,
    method: chosen,
    target: `/${modified(parts, at % parts.length, how, odd)
      .join("/")
      .replaceAll(/[{}]/g, "")}`,
    headers: {},
  }));
}

function modified(parts: string[], at: number, how: string, odd: string): string[] {
  if (how === "keep") return parts;
  const inserted = how === "remove" ? [] : how === "add" ? [parts[at]!, odd] : [odd];
  return [...parts.slice(0, at), ...inserted, ...parts.slice(at + 1)];
}

import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";

/** Returns the absolute path for the value of an option. */
export function absolutePath(text: string): string {
  if (text === "") throw new InvalidArgumentError("It must not be empty.");
  return resolve(text);
}

/** Parses the value of an option that specifies a port. */
export function port(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number < 65_536) return number;
  throw new InvalidArgumentError("It must be a whole number below 65536.");
}

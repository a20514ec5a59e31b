import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../repository";
import type { Place } from "./assumption";

/** Formats a location as `file:line`. */
export function positionOf({ file, text }: Place): string {
  const lines = readFileSync(join(repositoryRoot, file), "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes(text));
  if (at < 0) throw new Error(`${file} does not contain ${text}.`);
  return `${file}:${at + 1}`;
}

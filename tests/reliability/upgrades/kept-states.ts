import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgramName } from "./programs";

const folder = join(__dirname, "fixtures");

/** A stack whose state was written by an earlier release. */
export interface KeptState {
  program: ProgramName;
  /** Configuration of the stack, without secrets. */
  config: Record<string, string>;
  /** URL of the stack's control plane, which is no longer running. */
  baseUrl: string;
  /** Output of `pulumi stack export`. */
  exported: { deployment: { resources: { type: string; urn: string }[] } };
}

/** Returns all stored states, keyed by `release/name`. */
export function keptStates(): [string, KeptState][] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => [
      file.replace(/\.json$/, ""),
      JSON.parse(readFileSync(join(folder, file), "utf8")) as KeptState,
    ]);
}

/** Properties in which the engine records the location of a program. */
const places = ["sourcePosition", "stackTrace"];

/** Stores the state that a release has written. */
export function keepState(release: string, name: string, state: KeptState): void {
  mkdirSync(join(folder, release), { recursive: true });
  writeFileSync(join(folder, release, `${name}.json`), `${JSON.stringify(state, withoutPlaces, 1)}\n`);
}

function withoutPlaces(key: string, value: unknown): unknown {
  return places.includes(key) ? undefined : value;
}

import { existsSync, readFileSync } from "node:fs";
import { isAlive } from "../../tools/waiting";

/** Ways in which a process can detach from its parent; `bare` also clears the environment. */
export type Departure = "background" | "session" | "daemon" | "bare";

const departures: Record<Departure, (work: string) => string> = {
  background: (work) => `${work} &`,
  session: (work) => `setsid ${work} &`,
  // Forks twice with a new session, so that no parent, terminal, process group, or pipe refers to the process.
  daemon: (work) => `(setsid sh -c '${work.replaceAll("'", `'"'"'`)} &' </dev/null >/dev/null 2>&1 &)`,
  bare: (work) => `(setsid env -i PATH="$PATH" ${work} </dev/null >/dev/null 2>&1 &)`,
};

/**
 * Returns a shell script that starts processes that would outlive it, and waits until all of them have written their
 * IDs to `file`.
 */
export function daemons(file: string, ways: readonly Departure[]): string {
  const work = `sh -c 'echo $$ >> ${file}; exec sleep 1000'`;
  const started = ways.map((way) => departures[way](work)).join("\n");
  return `${started}\nwhile [ "$(grep -c . ${file})" != ${ways.length} ]; do sleep 0.02; done`;
}

/** Returns the process IDs in the file. */
export function idsIn(file: string): number[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number) : [];
}

export function alive(file: string): number[] {
  return idsIn(file).filter(isAlive);
}

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { narrowEnvironment, readSettings, type Settings } from "./settings.ts";
import { messageOf } from "./message.ts";
import { SourceRepository } from "./source-repository.ts";
import { takeTurn } from "./turn.ts";

/** Looks at the repository again and again, until it is stopped; with `--once` one time. */
async function main(words: string[]): Promise<number> {
  const settings = readSettings(narrowEnvironment(process.env));
  mkdirSync(settings.workFolder, { recursive: true });
  const lock = lockWorkFolder(settings);
  const signal = stopSignal();
  const say = (text: string) => console.log(text);
  try {
    const repository = await SourceRepository.open(settings, signal);
    const turn = { settings, repository, signal, say };
    if (words.includes("--once")) {
      const verdict = await takeTurn(turn);
      return verdict === undefined || verdict.state === "success" ? 0 : 1;
    }
    say(`Watching ${settings.branch} for stack ${settings.stack}. Ctrl-C stops it.`);
    for (;;) {
      await takeTurn(turn).catch((error: unknown) => {
        signal.throwIfAborted();
        say(`${messageOf(error)}\nTrying again in ${settings.everyMs / 1000} s.`);
      });
      await pause(settings.everyMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    say("Stopped. The next start continues from here.");
    return 0;
  } finally {
    lock.close();
  }
}

/**
 * Two controllers must not share a work folder. The operating system lets go of this lock when the process ends, however
 * it ends.
 * @throws Error when another one is at work
 */
function lockWorkFolder({ workFolder }: Settings): DatabaseSync {
  const lock = new DatabaseSync(join(workFolder, "lock"));
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch {
    throw new Error(`Another controller is at work in ${workFolder}.`);
  }
  return lock;
}

/** Aborted by Ctrl-C, and by what else asks a process to end. Asked twice, the process ends at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const onSignal = () => (stop.signal.aborted ? process.exit(1) : stop.abort());
  // Not `once`: what the Automation API starts Pulumi with ends the process where nobody else listens.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, onSignal);
  return stop.signal;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`gitops: ${messageOf(error)}`);
  return 1;
});

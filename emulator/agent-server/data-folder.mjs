import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const lockFile = "in-use";
const pollIntervalMs = 50;
/** SQLite result code for a lock held by another connection. Its extended codes differ in the higher bits. */
const busy = 5;

/**
 * Waits until no other process uses the folder, and locks it until this process exits. The operating system holds the
 * lock and releases it regardless of how the process exits.
 */
export async function holdFolder(folder, withinMs) {
  mkdirSync(folder, { recursive: true });
  const until = performance.now() + withinMs;
  for (;;) {
    const lock = lockOf(join(folder, lockFile));
    if (lock) return lock;
    if (performance.now() > until)
      throw new Error(`the data folder is still in use by another agent server after ${withinMs / 1000} s`);
    await sleep(pollIntervalMs);
  }
}

function lockOf(file) {
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if ((error.errcode ?? 0) % 256 === busy) return undefined;
    throw error;
  }
}

// The runtime writes its state 3 s after a change, in place. Here, each file is replaced atomically, and changes that
// were reported as stored are already on disk. See `written`. Other changes follow soon: a process that is killed loses
// only the latest changes of its active runs.
//
// While the state cannot be written, requests that change it are rejected, and runs wait until it can be written again.
//
// A file is always written completely, so the duration of a write depends on the amount of data in the file: up to
// 0.1 s per megabyte of store items, and less for checkpoints. The process does nothing else during a write. Concurrent
// waiters share one write.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HTTPException } from "hono/http-exception";
import { keepAllNames } from "./kept-names.mjs";
import { deserialize, FileSystemPersistence, serialize } from "./modules.mjs";

const soonMs = 30;
/** Maximum fraction of time spent on writing, because a write blocks the whole process. */
const share = 0.1;
const retryMs = 1000;

const known = new Set();

/** Replaces the persistence of every part of the runtime's state. */
export function keepPromptly() {
  keepAllNames();
  Object.assign(FileSystemPersistence.prototype, { initialize, persist, schedulePersist });
}

/** Resolves when all changes so far are on disk. Retries failed writes. */
export async function written() {
  await Promise.all(
    [...known].map(async (persistence) => {
      while (!(await persistence.persist())) await sleep(retryMs);
    }),
  );
}

/**
 * Makes these methods resolve only after their changes are on disk. If changes cannot be written, the methods reject.
 * If earlier writes have already failed, they reject before making a change; otherwise, they reject afterward, and the
 * change is kept in memory and written later.
 *
 * @param waits - True if a call with these arguments waits until its changes are written instead of rejecting.
 */
export function writeBeforeAnswering(owner, names, waits = () => false) {
  for (const name of names) {
    const change = owner[name];
    owner[name] = async (...args) => {
      const patient = waits(...args);
      if (!patient && faults().length > 0) await requireWritten("nothing was changed");
      const answer = await change.apply(owner, args);
      await (patient ? written() : requireWritten("the change takes effect once the file can be written"));
      return answer;
    };
  }
}

function faults() {
  return [...known].filter(({ fault }) => fault);
}

async function requireWritten(outcome) {
  await flushAll();
  const [failed] = faults();
  if (!failed) return;
  const { filepath, fault } = failed;
  throw new HTTPException(statusOf(fault), {
    message:
      `${filepath} cannot be written (${fault.message}); ${outcome}. ` +
      "Free some space on its disk, or make the file writable. No restart is necessary.",
  });
}

function statusOf({ code }) {
  return ["EROFS", "EACCES", "EPERM"].includes(code) ? 503 : 507;
}

/** Writes all pending changes, if possible. */
export async function flushAll() {
  await Promise.all([...known].map((persistence) => persistence.persist()));
}

/** Loads the state from a folder. Replaces any previously loaded state. */
async function initialize(folder) {
  known.add(this);
  // Nothing may be written until the new state is loaded, because the current data does not belong in the new file.
  this.filepath = null;
  clearTimeout(this.flushTimeout);
  this.flushTimeout = undefined;
  await this.writing;
  this.changed = false;
  this.fault = undefined;
  const file = resolve(folder, ".langgraph_api", this.name);
  await mkdir(dirname(file), { recursive: true });
  const data = await load(file, this.defaultSchema);
  this.data = data;
  this.filepath = file;
  return this;
}

async function load(file, empty) {
  if (!existsSync(file)) return empty();
  const text = await readFile(file, "utf8");
  try {
    return await deserialize(text);
  } catch (error) {
    console.error(`Error: ${file} cannot be read (${error.message}); it was kept as ${file}.unreadable.`);
    await rename(file, `${file}.unreadable`);
    return empty();
  }
}

function schedulePersist() {
  this.changed = true;
  if (this.flushTimeout !== undefined) return;
  const pauseMs = Math.max(this.fault ? retryMs : soonMs, (this.costMs ?? 0) / share);
  this.flushTimeout = setTimeout(() => void this.persist(), pauseMs);
}

/** Writes pending changes. Resolves with true if the changes so far are on disk. */
function persist() {
  clearTimeout(this.flushTimeout);
  this.flushTimeout = undefined;
  if (this.changed && !this.next) {
    this.next = true;
    this.writing = (this.writing ?? Promise.resolve()).then(() => write(this));
  }
  return this.writing ?? Promise.resolve(true);
}

async function write(persistence) {
  // Later changes are not part of this write and require another one.
  persistence.next = false;
  const { filepath, data } = persistence;
  if (filepath === null || data === null) return true;
  persistence.changed = false;
  try {
    const before = performance.now();
    const text = serialize(data);
    const digest = `${filepath} ${createHash("sha1").update(text).digest("base64")}`;
    persistence.costMs = performance.now() - before;
    // The runtime treats every read of its state as a change.
    if (digest !== persistence.onDisk) await replace(filepath, text);
    persistence.onDisk = digest;
    if (persistence.fault) console.warn(`Warning: ${filepath} can be written again.`);
    persistence.fault = undefined;
    return true;
  } catch (error) {
    if (!persistence.fault)
      console.error(`Error: Cannot write ${filepath}: ${error.message}. Retrying until the write succeeds.`);
    persistence.fault = error;
    persistence.schedulePersist();
    return false;
  }
}

async function replace(file, text) {
  try {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  } catch (error) {
    // A partial file would use up the remaining space.
    await rm(`${file}.new`, { force: true }).catch(() => undefined);
    throw error;
  }
}

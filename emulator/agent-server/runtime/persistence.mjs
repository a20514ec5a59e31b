// The runtime writes its state 3 s after a change, in place. Here a change is on disk almost at once and a file is
// either the old one or the new one, so that a killed process loses next to nothing.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { deserialize, FileSystemPersistence, serialize } from "./modules.mjs";

const soonMs = 30;
/** Writing may take this share of the time at most: it holds up the whole process. */
const share = 0.1;

const known = new Set();

/** Changes how the runtime keeps its state, for every part of it. */
export function keepPromptly() {
  Object.assign(FileSystemPersistence.prototype, { initialize, persist, schedulePersist });
}

/** Writes what is not on disk yet. */
export async function flushAll() {
  await Promise.all([...known].map((persistence) => persistence.persist()));
}

/** Loads the state of a folder, in place of any other that was loaded before. */
async function initialize(folder) {
  known.add(this);
  // From here on nothing may be written: the file to come is not that of the data at hand.
  this.filepath = null;
  clearTimeout(this.flushTimeout);
  this.flushTimeout = undefined;
  await this.writing;
  const file = resolve(folder, ".langgraph_api", this.name);
  await mkdir(dirname(file), { recursive: true });
  const data = await load(file, this.defaultSchema);
  this.data = data;
  this.filepath = file;
  return this;
}

async function load(file, empty) {
  if (!existsSync(file)) return empty();
  try {
    return await deserialize(await readFile(file, "utf8"));
  } catch (error) {
    console.error(`Error: ${file} cannot be read (${error.message}); it is kept as ${file}.unreadable.`);
    await rename(file, `${file}.unreadable`);
    return empty();
  }
}

function schedulePersist() {
  if (this.flushTimeout !== undefined) return;
  const pauseMs = Math.max(soonMs, (this.costMs ?? 0) / share);
  this.flushTimeout = setTimeout(() => void this.persist(), pauseMs);
}

function persist() {
  clearTimeout(this.flushTimeout);
  this.flushTimeout = undefined;
  this.writing = (this.writing ?? Promise.resolve()).then(() => write(this));
  return this.writing;
}

async function write(persistence) {
  const { filepath, data } = persistence;
  if (filepath === null || data === null) return;
  const before = performance.now();
  const text = serialize(data);
  const digest = `${filepath} ${createHash("sha1").update(text).digest("base64")}`;
  persistence.costMs = performance.now() - before;
  // The runtime takes every look at its state for a change.
  if (digest === persistence.written) return;
  try {
    await writeFile(`${filepath}.new`, text);
    await rename(`${filepath}.new`, filepath);
    persistence.written = digest;
  } catch (error) {
    console.error(`Error: ${filepath} cannot be written: ${error.message}`);
  }
}

import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { inPlace } from "../storage/own-files";
import type { Folders } from "./folders";
import type { Store } from "./store/store";

const doneSetting = "misplacedDataMoved";

/** The folder in which the runtime keeps its files, inside a deployment's `data/runtime`. */
const runtimeFiles = ".langgraph_api";

/**
 * Moves the threads, runs and store items of deployments to their data folders where they are elsewhere: agents that got
 * a relative state folder took it for one inside of their checkout, which goes with the next revision. Looks once in the
 * life of a state folder.
 */
export function moveMisplacedData(store: Store, folders: Folders): void {
  if (store.setting(doneSetting) !== undefined) return;
  for (const { id, goneAt, activeRevisionId, latestRevisionId } of store.deployments.all()) {
    if (goneAt !== null) continue;
    const revisionId = activeRevisionId ?? latestRevisionId;
    for (const { from, to } of moveBelow(folders, id))
      if (revisionId !== null)
        store.logs.append(
          revisionId,
          "deploy",
          "WARNING",
          `Moved the data of this deployment from ${from} to ${to}; an agent had put it into its checkout.`,
        );
  }
  store.keepSetting(doneSetting, "1");
}

function moveBelow(folders: Folders, id: string): { from: string; to: string }[] {
  const data = folders.data(id);
  const wanted = join("deployments", id, "data", "runtime");
  const found = [...foldersBelow(dirname(data), data)]
    .filter((folder) => folder.endsWith(sep + wanted) && existsSync(join(folder, runtimeFiles)))
    .sort((one, other) => changedAt(other) - changedAt(one));
  return found.map((from) => inPlace(from, () => ({ from, to: move(from, data) })));
}

/** The newest goes where the agent looks; what is there already, or older, is kept beside it. */
function move(from: string, data: string): string {
  const place = join(data, "runtime");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  if (existsSync(place) && readdirSync(place).length === 0) rmdirSync(place);
  let to = place;
  for (let number = 1; existsSync(to); number++) to = `${place}.found-${number}`;
  renameSync(from, to);
  return to;
}

function changedAt(folder: string): number {
  return statSync(join(folder, runtimeFiles)).mtimeMs;
}

function* foldersBelow(folder: string, except: string): Generator<string> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Links are not followed; in neither of the two can an agent have been started.
    if (!entry.isDirectory() || path === except || ["node_modules", ".git"].includes(entry.name)) continue;
    yield path;
    yield* foldersBelow(path, except);
  }
}

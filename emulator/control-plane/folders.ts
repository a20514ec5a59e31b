import { existsSync, mkdtempSync, readdirSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { inPlace, makeOwnFolder } from "../storage/own-files";
import { storageFaultOf } from "../storage/storage-fault";
import type { UploadName } from "./uploads/path";

/** Name of the folder within the state folder that contains one folder per deployment. */
export const deploymentsFolder = "deployments";

/** Name of the folder within the state folder in which uploads are unpacked before they are validated. */
const unpackingFolder = "unpacking";

/** Suffix of the folder of a deployment that is being removed. */
const removedEnding = ".removed";

/** Folders for the files of deployments: `deployments/<id>/{data,revisions/<revision>,uploads/<upload>}`. */
export class Folders {
  #root: string | undefined;
  readonly #temporary: boolean;

  /** @param state - State folder. If omitted, a temporary folder is created when it is first needed. */
  constructor(state: string | undefined) {
    this.#root = state;
    this.#temporary = state === undefined;
  }

  data(deploymentId: string): string {
    return join(this.#deployment(deploymentId), "data");
  }

  revision(deploymentId: string, revisionId: string): string {
    return join(this.#deployment(deploymentId), "revisions", revisionId);
  }

  /**
   * Creates the folders of a rollout.
   * @throws StorageFault
   */
  prepare(deploymentId: string, revisionId: string): void {
    for (const folder of [this.data(deploymentId), this.revision(deploymentId, revisionId)])
      makeOwnFolder(folder);
  }

  /** Returns the folder that contains an unpacked upload. */
  upload({ deploymentId, uploadId }: UploadName): string {
    return join(this.#deployment(deploymentId), "uploads", uploadId);
  }

  hasUpload(named: UploadName): boolean {
    return this.#root !== undefined && existsSync(this.upload(named));
  }

  /**
   * Creates a folder for unpacking an upload.
   * @throws StorageFault
   */
  makeUnpacking(): string {
    const folder = join(this.#rootFolder(), unpackingFolder, randomUUID());
    makeOwnFolder(folder);
    return folder;
  }

  /**
   * Moves an unpacked upload to its final location. An existing upload that has the same name is replaced.
   * @throws StorageFault
   */
  keepUpload(unpacked: string, named: UploadName): void {
    const folder = this.upload(named);
    makeOwnFolder(dirname(folder));
    inPlace(folder, () => {
      if (existsSync(folder)) renameSync(folder, unpacked + removedEnding);
      renameSync(unpacked, folder);
    });
  }

  /** Removes the folder in which an upload was unpacked, and the upload that it replaced. */
  async discardUnpacking(unpacked: string): Promise<void> {
    for (const folder of [unpacked, unpacked + removedEnding]) await remove(folder);
  }

  /** Returns the folders in which an upload is being unpacked, or was being unpacked when an earlier process exited. */
  unpacking(): string[] {
    const folder = this.#root && join(this.#root, unpackingFolder);
    return folder && existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  }

  /** Returns the folders that do not belong to any of these deployments and are not being removed. */
  unknown(deploymentIds: string[]): string[] {
    return this.#all()
      .filter((name) => !name.endsWith(removedEnding) && !deploymentIds.includes(name))
      .map((name) => this.#deployment(name));
  }

  /** Finishes the removal of folders that an earlier process started. */
  async finishRemovals(): Promise<void> {
    for (const name of this.#all()) if (name.endsWith(removedEnding)) await remove(this.#deployment(name));
  }

  /**
   * Removes the folders of a deployment's revisions, except for the specified ones and any that are created after the
   * call.
   */
  async keepRevisions(deploymentId: string, kept: string[]): Promise<void> {
    await removeOthers(join(this.#deployment(deploymentId), "revisions"), kept);
  }

  /** Removes the folder of a revision that will never serve requests. */
  async removeRevision(deploymentId: string, revisionId: string): Promise<void> {
    await remove(this.revision(deploymentId, revisionId));
  }

  /**
   * Removes the folder of a deployment. The folder is renamed synchronously, so that an interrupted removal can be
   * detected. An unknown folder with any other name is never removed.
   */
  async remove(deploymentId: string): Promise<void> {
    if (!this.#root) return;
    const folder = this.#deployment(deploymentId);
    const removed = folder + removedEnding;
    if (existsSync(folder)) inPlace(folder, () => renameSync(folder, removed));
    await remove(removed);
  }

  /** Removes the temporary folder, if it exists. */
  async close(): Promise<void> {
    if (this.#temporary && this.#root) await remove(this.#root);
  }

  #all(): string[] {
    const folder = this.#root && join(this.#root, deploymentsFolder);
    return folder && existsSync(folder) ? readdirSync(folder) : [];
  }

  #deployment(deploymentId: string): string {
    return join(this.#rootFolder(), deploymentsFolder, deploymentId);
  }

  #rootFolder(): string {
    return (this.#root ??= mkdtempSync(join(tmpdir(), "agentserver-")));
  }
}

async function removeOthers(folder: string, kept: string[]): Promise<void> {
  // The folder is listed synchronously, so that entries that are created later are not removed.
  const found = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of found) if (!kept.includes(name)) await remove(join(folder, name));
}

async function remove(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    throw storageFaultOf(error, folder) ?? error;
  }
}

import { existsSync, mkdtempSync, readdirSync, renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { inPlace, makeOwnFolder } from "../storage/own-files";
import { storageFaultOf } from "../storage/storage-fault";
import type { UploadName } from "./uploads/path";

/** Name of the folder, inside the state folder, that holds one for each deployment. */
export const deploymentsFolder = "deployments";

/** Name of the folder, inside the state folder, where uploads are unpacked before it is known what they are worth. */
const unpackingFolder = "unpacking";

/** Ends the name of a deployment's folder that is being removed. */
const removedEnding = ".removed";

/** Folders in which deployments keep their files: `deployments/<id>/{data,revisions/<revision>,uploads/<upload>}`. */
export class Folders {
  #root: string | undefined;
  readonly #temporary: boolean;

  /** @param state - The state folder; without one a temporary folder is made when first needed. */
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

  /** Makes the folders of a rollout. @throws StorageFault */
  prepare(deploymentId: string, revisionId: string): void {
    for (const folder of [this.data(deploymentId), this.revision(deploymentId, revisionId)])
      makeOwnFolder(folder);
  }

  /** The unpacked source that was uploaded. */
  upload({ deploymentId, uploadId }: UploadName): string {
    return join(this.#deployment(deploymentId), "uploads", uploadId);
  }

  hasUpload(named: UploadName): boolean {
    return this.#root !== undefined && existsSync(this.upload(named));
  }

  /** Makes a folder to unpack an upload in. @throws StorageFault */
  makeUnpacking(): string {
    const folder = join(this.#rootFolder(), unpackingFolder, randomUUID());
    makeOwnFolder(folder);
    return folder;
  }

  /** Makes what was unpacked there the upload of that name, in place of one that is there. @throws StorageFault */
  keepUpload(unpacked: string, named: UploadName): void {
    const folder = this.upload(named);
    makeOwnFolder(dirname(folder));
    inPlace(folder, () => {
      if (existsSync(folder)) renameSync(folder, unpacked + removedEnding);
      renameSync(unpacked, folder);
    });
  }

  /** Removes what is left of such a folder, and what took its place. */
  async discardUnpacking(unpacked: string): Promise<void> {
    for (const folder of [unpacked, unpacked + removedEnding]) await remove(folder);
  }

  /** The folders in which something is being unpacked, or was when an earlier process ended. */
  unpacking(): string[] {
    const folder = this.#root && join(this.#root, unpackingFolder);
    return folder && existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  }

  /** The folders that belong to none of these deployments, and are not being removed. */
  unknown(deploymentIds: string[]): string[] {
    return this.#all()
      .filter((name) => !name.endsWith(removedEnding) && !deploymentIds.includes(name))
      .map((name) => this.#deployment(name));
  }

  /** Finishes removals that were cut off. */
  async finishRemovals(): Promise<void> {
    for (const name of this.#all()) if (name.endsWith(removedEnding)) await remove(this.#deployment(name));
  }

  /** Removes the folders of a deployment's revisions except those named; spares those made after the call. */
  async keepRevisions(deploymentId: string, kept: string[]): Promise<void> {
    await removeOthers(join(this.#deployment(deploymentId), "revisions"), kept);
  }

  /** Removes the folder of a revision that will never serve. */
  async removeRevision(deploymentId: string, revisionId: string): Promise<void> {
    await remove(this.revision(deploymentId, revisionId));
  }

  /**
   * Removes the folder of a deployment. When this returns it has another name, by which it is found if the rest is cut
   * off: that nobody knows a folder is no reason to remove it.
   */
  async remove(deploymentId: string): Promise<void> {
    if (!this.#root) return;
    const folder = this.#deployment(deploymentId);
    const removed = folder + removedEnding;
    if (existsSync(folder)) inPlace(folder, () => renameSync(folder, removed));
    await remove(removed);
  }

  /** Removes what nothing will come back to. */
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
  // Listed before anything else can happen: what appears later is not meant.
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

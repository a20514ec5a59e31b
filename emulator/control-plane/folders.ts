import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeOwnFolder } from "../storage/own-files";
import { storageFaultOf } from "../storage/storage-fault";

/** Where deployments keep their files: `deployments/<id>/{data,revisions/<revision>}`. */
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

  /** Removes the folders of deployments that are not among these; spares those made after the call. */
  async keepDeployments(kept: string[]): Promise<void> {
    if (this.#root) await removeOthers(join(this.#root, "deployments"), kept);
  }

  /** Removes the folders of a deployment's revisions except those named; spares those made after the call. */
  async keepRevisions(deploymentId: string, kept: string[]): Promise<void> {
    await removeOthers(join(this.#deployment(deploymentId), "revisions"), kept);
  }

  /** Removes the folder of a revision that will never serve. */
  async removeRevision(deploymentId: string, revisionId: string): Promise<void> {
    await remove(this.revision(deploymentId, revisionId));
  }

  async remove(deploymentId: string): Promise<void> {
    if (this.#root) await remove(this.#deployment(deploymentId));
  }

  /** Removes what nothing will come back to. */
  async close(): Promise<void> {
    if (this.#temporary && this.#root) await remove(this.#root);
  }

  #deployment(deploymentId: string): string {
    this.#root ??= mkdtempSync(join(tmpdir(), "agentserver-"));
    return join(this.#root, "deployments", deploymentId);
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

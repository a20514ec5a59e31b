import { existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

  prepare(deploymentId: string, revisionId: string): void {
    mkdirSync(this.data(deploymentId), { recursive: true, mode: 0o700 });
    mkdirSync(this.revision(deploymentId, revisionId), { recursive: true, mode: 0o700 });
  }

  /** Removes the folders of deployments that are not among these; spares those made after the call. */
  async keepDeployments(kept: string[]): Promise<void> {
    if (this.#root) await removeOthers(join(this.#root, "deployments"), kept);
  }

  /** Removes the folders of a deployment's revisions except those named; spares those made after the call. */
  async keepRevisions(deploymentId: string, kept: string[]): Promise<void> {
    await removeOthers(join(this.#deployment(deploymentId), "revisions"), kept);
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

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import type { Clock } from "../../clock";
import { Background } from "../background";
import type { Folders } from "../folders";
import { refuse } from "../refusal";
import type { StoredDeployment } from "../store/deployments";
import type { Store } from "../store/store";
import { type UploadBounds, uploadBounds } from "./bounds";
import { pathOfUpload, type UploadName, uploadNamed } from "./path";
import { refuseUpload } from "./refusals";
import { Signatures } from "./signature";
import { unpack } from "./unpack";

/** Lifetime of an upload URL, in milliseconds. */
const validMs = 15 * 60_000;

/** Type of source whose revisions are built from uploads. */
const uploadedSource = "internal_source";

export interface UploadsDeps {
  store: Store;
  folders: Folders;
  clock: Clock;
  /** Called with internal errors of the control plane. */
  reportError: (error: unknown) => void;
}

/** A request to an upload URL. */
export interface UploadRequest {
  /** Path of the upload URL, as returned by `offer`. */
  path: string;
  expires: string | undefined;
  token: string | undefined;
  contentType: string | undefined;
  contentLength: string | undefined;
  body: Readable;
}

/**
 * Sources that clients upload. Each source is unpacked as it arrives, and stored in the folder of its deployment.
 * Revisions are built from that folder. The source is deleted with the deployment. A source can be uploaded again until
 * a revision uses it.
 */
export class Uploads {
  readonly #signatures: Signatures;
  readonly #underWay: Background;
  readonly #closing = new AbortController();
  /**
   * Folders of uploads that an earlier process was unpacking. They are listed in the constructor, before the first
   * upload is accepted.
   */
  readonly #leftovers: readonly string[];

  constructor(private readonly deps: UploadsDeps) {
    this.#signatures = new Signatures(deps.store);
    this.#leftovers = deps.folders.unpacking();
    // Errors are not reported here, because the client that sends the upload receives them.
    this.#underWay = new Background(() => undefined);
  }

  /**
   * Returns the path of an upload for the deployment, and a query string that permits the upload without a key for a
   * limited time.
   */
  offer({ id, source, goneAt }: StoredDeployment): { objectPath: string; query: string } {
    if (goneAt !== null) throw refuse.beingDeleted(id);
    if (source !== uploadedSource) throw refuseUpload.otherSource(source);
    const objectPath = pathOfUpload({ deploymentId: id, uploadId: randomUUID() });
    const expires = this.deps.clock.now() + validMs;
    return { objectPath, query: `expires=${expires}&token=${this.#signatures.sign(objectPath, expires)}` };
  }

  /**
   * Receives the body of a request to an upload URL.
   * @throws Refusal if the upload is rejected; StorageFault if there is not enough space
   */
  receive(request: UploadRequest, bounds: UploadBounds = uploadBounds): Promise<void> {
    const work = this.#receive(request, bounds);
    this.#underWay.add(work);
    return work;
  }

  /** Rejects a `source_tarball_path` of the deployment if no archive was uploaded to it. */
  require({ id }: Pick<StoredDeployment, "id">, path: string | null | undefined): void {
    if (path == null) return;
    const named = uploadNamed(path);
    if (named?.deploymentId !== id || !this.deps.folders.hasUpload(named))
      throw refuseUpload.unknownPath(path);
  }

  /** Removes the files of interrupted uploads. */
  resume(): void {
    const { folders, reportError } = this.deps;
    for (const folder of this.#leftovers)
      this.#underWay.add(folders.discardUnpacking(folder).catch((error: unknown) => reportError(error)));
  }

  /** Aborts the running uploads. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("The control plane is shutting down."));
    await this.#underWay.over();
  }

  async #receive(request: UploadRequest, bounds: UploadBounds): Promise<void> {
    const { folders, store } = this.deps;
    const named = this.#opened(request);
    this.#requireLive(named.deploymentId);
    if (!/^application\/gzip\b/i.test(request.contentType ?? "")) throw refuseUpload.wrongType();
    if (Number(request.contentLength ?? 0) > bounds.bytes) throw refuseUpload.tooLarge(bounds);
    const unfinished = folders.makeUnpacking();
    try {
      await unpack(request.body, unfinished, this.#closing.signal, bounds);
      // Synchronous, so that no revision can be built from an upload that is about to be replaced.
      this.#requireLive(named.deploymentId);
      if (store.revisions.isMadeOf(named.deploymentId, request.path)) throw refuseUpload.inUse();
      folders.keepUpload(unfinished, named);
    } catch (error) {
      throw this.#closing.signal.aborted ? refuseUpload.closing() : error;
    } finally {
      await folders.discardUnpacking(unfinished);
    }
  }

  /** Returns the upload that an upload URL grants access to. */
  #opened({ path, expires, token }: UploadRequest): UploadName {
    const named = uploadNamed(path);
    const moment = Number(expires);
    if (!named || !this.#signatures.isValid(path, moment, token ?? "")) throw refuseUpload.badToken();
    if (this.deps.clock.now() >= moment) throw refuseUpload.expired();
    return named;
  }

  #requireLive(id: string): void {
    const deployment = this.deps.store.deployments.find(id);
    if (!deployment) throw refuse.noDeployment(id);
    if (deployment.goneAt !== null) throw refuse.beingDeleted(id);
  }
}

import { sizeText } from "../../../wire";
import { Refusal } from "../refusal";
import type { UploadBounds } from "./bounds";

/** Errors for rejected uploads. */
export const refuseUpload = {
  otherSource: (source: string) =>
    new Refusal(
      400,
      `Upload URLs are only available for 'internal_source' source deployments; the source of this one is '${source}'.`,
    ),
  badToken: () =>
    new Refusal(403, "This is not an upload URL of this control plane: request one with POST …/upload-url."),
  expired: () => new Refusal(403, "This upload URL has expired: request another one."),
  wrongType: () =>
    new Refusal(415, "An upload must be a gzip-compressed tar archive: send Content-Type: application/gzip."),
  tooLarge: ({ bytes }: Pick<UploadBounds, "bytes">) =>
    new Refusal(413, `The upload is larger than ${sizeText(bytes)}. Exclude large files from the archive.`),
  brokenOff: () => new Refusal(400, "The upload was interrupted: send it again."),
  closing: () =>
    new Refusal(503, "The control plane is shutting down: upload the source again after the restart."),
  inUse: () =>
    new Refusal(409, "A revision has already been created from this upload: request another upload URL."),
  unknownPath: (path: string) =>
    new Refusal(
      400,
      `Source configuration error: 'source_revision_config.source_tarball_path' does not refer to an upload of this ` +
        `deployment: '${path}'. Request an upload URL, upload the archive there, and send the 'object_path' ` +
        "that came with the URL.",
    ),
};

/** Returns the error for an invalid archive. */
export function badArchive(why: string): Refusal {
  return new Refusal(400, `The archive was rejected: ${why}.`);
}

import { sizeText } from "../../../wire";
import { AgentServerError } from "../../errors";
import { withArchive } from "../../local-source/archive";
import { fixedDelays, poll } from "../../resource/poll";
import type { ControlPlaneOperation } from "../../resource/operation";
import type { SourceRevisionConfigInputs } from "../inputs/inputs";
import { readFolder } from "./folder";

/** Headers for storage services that require a maximum size, used if the server does not return headers. */
const defaultHeaders = { "X-Goog-Content-Length-Range": "0,209715200" };

/** Pauses between attempts at one upload, in milliseconds. */
const retryPauses = fixedDelays([2_000, 5_000]);

/** Source in a folder that was uploaded. */
export interface Uploaded {
  /** Location of the upload in the request for a revision. */
  objectPath: string;
  /** Path of the graph configuration file in the archive. */
  configPath: string;
  contentHash: string;
}

/** Sends the source of a revision if it is a folder on this machine. */
export async function uploadSource(
  op: ControlPlaneOperation,
  deploymentId: string,
  { folder, contentHash, ...config }: SourceRevisionConfigInputs,
): Promise<Uploaded | undefined> {
  if (folder === undefined) return undefined;
  const read = () => readFolder({ folder, ...config }, op.resource.workingFolder);
  const requireSame = (hash: string) => {
    if (hash !== contentHash) throw changedError(folder, deploymentId);
  };
  const source = await read();
  requireSame(source.contentHash);
  const objectPath = await withArchive(source, op.time.clock.now(), async (archive) => {
    // Files may have changed while they were packed.
    requireSame((await read()).contentHash);
    return send(op, deploymentId, archive);
  });
  return { objectPath, configPath: source.configPath, contentHash: source.contentHash };
}

/** Uploads the archive. Retries do not create additional revisions, because only the later PATCH creates one. */
async function send(
  op: ControlPlaneOperation,
  deploymentId: string,
  { place, bytes }: { place: string; bytes: number },
): Promise<string> {
  let refused: unknown;
  const sent = await poll(op.time, retryPauses, async () => {
    const offer = await op.plane.client.uploads.offer(deploymentId, op.time.signal);
    try {
      await op.plane.upload({
        url: offer.upload_url,
        headers: offer.upload_headers ?? defaultHeaders,
        file: place,
        bytes,
        onProgress: (done) => op.report.status.show("uploading", `${sizeText(done)} of ${sizeText(bytes)}`),
        deadline: op.time.deadline,
        undone: `deployment ${deploymentId} was not changed`,
        signal: op.time.signal,
      });
      return offer.object_path;
    } catch (error) {
      if (!AgentServerError.is(error) || !isRetriable(error)) throw error;
      refused = error;
      op.report.status.show("the upload failed", "trying again");
      return undefined;
    }
  });
  if (sent === undefined) throw refused;
  op.report.log("info", `The source (${sizeText(bytes)}) was uploaded.`);
  return sent;
}

/**
 * True if a new upload URL may help, for example because the old one has expired; false if the archive itself is
 * rejected.
 */
function isRetriable({ code, facts }: AgentServerError): boolean {
  if (facts.final) return false;
  return code === "request_refused" ? facts.status === 403 : code !== "unexpected_response";
}

function changedError(folder: string, deploymentId: string): AgentServerError {
  return new AgentServerError(
    "bad_configuration",
    `The files in ${folder} changed during this update, so they were not uploaded. Run the command again.`,
    { deploymentId },
  );
}

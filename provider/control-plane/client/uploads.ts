import { uploadOffer, type UploadOffer } from "../../../wire";
import type { Transport } from "../../http/transport";
import { deploymentPath } from "../paths";

/** The endpoints of uploads as functions. */
export class UploadsClient {
  constructor(private readonly transport: Transport) {}

  /** `POST /v2/deployments/{deployment_id}/upload-url`: a place for an archive, for a while. */
  offer(deploymentId: string, signal?: AbortSignal): Promise<UploadOffer> {
    return this.transport.send({
      method: "POST",
      path: `${deploymentPath(deploymentId)}/upload-url`,
      // Else servers whose storage wants headers refuse.
      body: { supports_upload_headers: true },
      answer: uploadOffer,
      facts: { deploymentId },
      undone: `deployment ${deploymentId} was not changed`,
      signal,
    });
  }
}

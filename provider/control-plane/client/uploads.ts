import { uploadOffer, type UploadOffer } from "../../../wire";
import type { Transport } from "../../http/transport";
import { deploymentPath } from "../paths";

/** Client for the upload endpoints. */
export class UploadsClient {
  constructor(private readonly transport: Transport) {}

  /** `POST /v2/deployments/{deployment_id}/upload-url`; returns a temporary URL for an archive. */
  offer(deploymentId: string, signal?: AbortSignal): Promise<UploadOffer> {
    return this.transport.send({
      method: "POST",
      path: `${deploymentPath(deploymentId, this.transport.texts)}/upload-url`,
      // Without this field, servers whose storage requires headers reject the request.
      body: { supports_upload_headers: true },
      answer: uploadOffer,
      facts: { deploymentId },
      undone: `deployment ${deploymentId} was not changed`,
      signal,
    });
  }
}

import type { Deployment } from "../../answers";
import { type Client, type Rig, start } from "../client";
import type { ControlPlaneOptions } from "../../../../emulator/index";

/** Destination of an upload, as returned by the control plane. */
export interface Offer {
  upload_url: string;
  object_path: string;
  upload_headers: Record<string, string> | null;
}

/** A control plane with a deployment whose source is uploaded. */
export interface UploadRig extends Rig {
  id: string;
}

export const path = "/v2/deployments";

export async function begin(options: ControlPlaneOptions = {}): Promise<UploadRig> {
  const rig = await start({ dialect: "langsmith", ...options });
  return { ...rig, id: await create(rig.client) };
}

export async function create(client: Client, name = "agent", source = "internal_source"): Promise<string> {
  const body = { name, source, source_config: {}, source_revision_config: {}, secrets: [] };
  return (await client.post<Deployment>(path, body)).body.id;
}

export async function offer(client: Client, id: string): Promise<Offer> {
  const { status, body } = await client.post<Offer>(`${path}/${id}/upload-url`, {
    supports_upload_headers: true,
  });
  expect(status).toBe(200);
  return body;
}

/** Sends an archive to an upload URL without an API key, in the same way as clients. */
export async function put(
  url: string,
  archive: Buffer,
  headers: Record<string, string> = { "content-type": "application/gzip" },
): Promise<{ status: number; text: string }> {
  const body = new Uint8Array(archive);
  const answer = await fetch(url, { method: "PUT", body, headers: { connection: "close", ...headers } });
  return { status: answer.status, text: await answer.text() };
}

/** Uploads an archive for the deployment. Resolves with its path. */
export async function upload(client: Client, id: string, archive: Buffer): Promise<string> {
  const { upload_url, object_path } = await offer(client, id);
  expect(await put(upload_url, archive)).toEqual({ status: 200, text: "" });
  return object_path;
}

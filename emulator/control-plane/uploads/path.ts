import { selfHostedPrefix } from "../prefix";

/** Path segment of all upload URLs, below the URL of the control plane. */
const folder = "uploads";

/** Deployment and upload that a path refers to. */
export interface UploadName {
  deploymentId: string;
  uploadId: string;
}

const guid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const pattern = new RegExp(`^${folder}/(${guid})/(${guid})\\.tar\\.gz$`);

/** Returns the path of an upload, in the format of `source_tarball_path`. */
export function pathOfUpload({ deploymentId, uploadId }: UploadName): string {
  return `${folder}/${deploymentId}/${uploadId}.tar.gz`;
}

/** Returns the upload that a path refers to, or `undefined` for any other string. */
export function uploadNamed(path: string | null | undefined): UploadName | undefined {
  const [, deploymentId, uploadId] = pattern.exec(path ?? "") ?? [];
  return deploymentId && uploadId ? { deploymentId, uploadId } : undefined;
}

/** True if the path accepts uploads. */
export function takesUploads(path: string): boolean {
  return [`/${folder}/`, `${selfHostedPrefix}/${folder}/`].some((start) => path.startsWith(start));
}

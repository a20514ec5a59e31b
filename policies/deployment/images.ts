import type { ResourceInputs } from "../resource/inputs";
import { specPaths } from "./resource-spec";
import { notKnownYet } from "../resource/unknown";

/** Paths of all container images of a deployment: its own and those of the containers beside it, or of an unknown list. */
export function* imagePaths(deployment: ResourceInputs): Generator<string> {
  yield "sourceRevisionConfig.imageUri";
  for (const path of ["sidecars", "initContainers"].flatMap((key) => specPaths(deployment, key))) {
    const containers = deployment.valueAt(path);
    if (containers === notKnownYet) yield path;
    if (!Array.isArray(containers)) continue;
    for (const index of containers.keys()) yield `${path}.${index}.image`;
  }
}

/** Whether an image reference names the very content: `…@sha256:<64 hexadecimal digits>`. */
export function hasDigest(reference: string): boolean {
  return /@sha256:[0-9a-f]{64}$/.test(reference);
}

/** Registry and repository without tag and digest, written out: `nginx` is `docker.io/library/nginx`. */
export function imageRepository(reference: string): string {
  const repository = reference
    .trim()
    .replace(/@.*$/, "")
    .replace(/:[^/:]*$/, "");
  const [first = "", ...rest] = repository.split("/");
  if (rest.length === 0) return `docker.io/library/${first}`;
  return /[.:]|^localhost$/.test(first) ? repository : `docker.io/${repository}`;
}

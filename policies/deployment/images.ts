import type { ResourceInputs } from "../resource/inputs";
import { notKnownYet } from "../resource/unknown";

/** Pattern for the paths of images in a resource specification: those of additional containers and of volumes. */
const image = /^sourceConfig\.resourceSpec\..*\.image(\.reference)?$/;

/** Pattern for the paths of unknown inputs that may contain images. */
const withImages =
  /^sourceConfig(\.resourceSpec(\.(sidecars|initContainers|init_containers|volumes)(\.\d+(\.image)?)?)?)?$/;

/**
 * Yields the paths of all container images of a deployment, including those of additional containers and of volumes.
 */
export function* imagePaths(deployment: ResourceInputs): Generator<string> {
  yield "sourceRevisionConfig.imageUri";
  for (const { path, text, isKey } of deployment.texts())
    if (!isKey && (image.test(path) || (text === notKnownYet && withImages.test(path)))) yield path;
}

/** True if an image reference has a digest: `…@sha256:<64 hexadecimal digits>`. */
export function hasDigest(reference: string): boolean {
  return /@sha256:[0-9a-f]{64}$/.test(reference);
}

/**
 * Returns the registry and repository of an image, without its tag and digest: `nginx` becomes
 * `docker.io/library/nginx`.
 */
export function imageRepository(reference: string): string {
  const repository = reference
    .trim()
    .replace(/@.*$/, "")
    .replace(/:[^/:]*$/, "");
  const [first = "", ...rest] = repository.split("/");
  if (rest.length === 0) return `docker.io/library/${first}`;
  return /[.:]|^localhost$/.test(first) ? repository : `docker.io/${repository}`;
}

import { isAbsolute } from "node:path";
import { warning, type Finding } from "../../resource/inputs/finding";
import type { RepositoryReader, RepositorySight, RepositoryView } from "../../repository/reader";
import type { Question } from "../../resource/checks";
import { isFromManifest } from "../../resource/ownership/urn";

const paths = {
  repository: "sourceConfig.repoUrl",
  ref: "sourceRevisionConfig.repoRef",
  file: "sourceRevisionConfig.graphConfigPath",
};

/**
 * Checks that the repository has the ref and, at that ref, the graph configuration file. Reports only warnings, because
 * missing files may be pushed before the rollout reads them.
 */
export const checkRepository =
  (repositories: RepositoryReader): Question =>
  async (wanted, { urn, isLocal, isSecret, once, signal }) => {
    const url = wanted.text(paths.repository);
    // The address or path of a request must not reveal a secret.
    if (
      !url ||
      isSecret(paths.repository) ||
      isSecret(paths.ref) ||
      !Object.values(paths).some((path) => wanted.changes(path))
    )
      return [];
    // Anyone may propose a manifest, so only an update sends the first request to an address in it.
    if (isFromManifest(urn) && wanted.changes(paths.repository)) return [];
    // A repository that requires an integration is rarely public.
    const address = addressOf(url, isLocal, wanted.specifies("sourceConfig.integrationId"));
    if (address === undefined) return [];
    const view = { address, ref: wanted.text(paths.ref), path: wanted.text(paths.file) };
    const sight = await once(`repository ${JSON.stringify(view)}`, () => repositories(view, signal));
    return findingsOf(sight, view);
  };

function findingsOf(sight: RepositorySight, { ref, path }: RepositoryView): Finding[] {
  const quoted = JSON.stringify(ref);
  switch (sight) {
    case "no repository":
      return [warning(paths.repository, "is not a Git repository on this machine")];
    case "no ref":
      return [
        warning(
          paths.ref,
          `the repository has no branch, tag, or commit ${quoted} yet; push it, or correct the name`,
        ),
      ];
    case "no file":
      return [
        warning(
          paths.file,
          `the repository has no file ${JSON.stringify(path)} at ${quoted}; push it, or correct the path`,
        ),
      ];
    default:
      return [];
  }
}

/**
 * Returns the address at which the provider can read the same repository as the control plane: a folder on this
 * machine, or a public repository. Returns `undefined` for any other repository.
 */
function addressOf(url: string, isLocal: boolean, withIntegration: boolean): string | undefined {
  if (isAbsolute(url)) return isLocal ? url : undefined;
  const place = URL.parse(url);
  if (place?.protocol === "file:" && place.host === "")
    return isLocal ? decodePath(place.pathname) : undefined;
  if (place?.protocol !== "https:" || withIntegration) return undefined;
  // Credentials are never sent, and a response without them may be for a different resource.
  return place.username || place.password || place.search || place.hash ? undefined : place.href;
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

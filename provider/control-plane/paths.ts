import { AgentServerError } from "../errors";
import type { ServiceTexts } from "../http/service";

type Texts = Pick<ServiceTexts, "checkAddress">;

/**
 * Returns the path of a deployment.
 * @param texts wording that describes the control plane in the error
 * @throws AgentServerError `unexpected_response` for an ID that cannot be part of a URL
 */
export function deploymentPath(deploymentId: string, texts: Texts): string {
  return `/v2/deployments/${segment("deployment", deploymentId, texts)}`;
}

/**
 * Returns the path of a revision.
 * @param texts wording that describes the control plane in the error
 * @throws AgentServerError `unexpected_response` for an ID that cannot be part of a URL
 */
export function revisionPath(deploymentId: string, revisionId: string, texts: Texts): string {
  return `${deploymentPath(deploymentId, texts)}/revisions/${segment("revision", revisionId, texts)}`;
}

/** Maximum length of an ID, in characters. */
const maxIdLength = 256;

/**
 * Encodes an ID as a path segment, and rejects an invalid ID. An ID that consists of dots would refer to a different
 * path even if it were encoded.
 */
function segment(of: string, id: string, { checkAddress }: Texts): string {
  if (id !== "" && id.length <= maxIdLength && !/^\.{1,2}$|[\p{Cc}\p{Cs}]/u.test(id))
    return encodeURIComponent(id);
  throw new AgentServerError(
    "unexpected_response",
    `The ${of} ID ${JSON.stringify(id.slice(0, 40))} cannot be part of a URL, so no request was sent. ${checkAddress}`,
  );
}

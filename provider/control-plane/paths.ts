import { AgentServerError } from "../errors";

/**
 * Returns the path of a deployment.
 * @throws AgentServerError `unexpected_response` for an ID that cannot be part of a URL
 */
export function deploymentPath(deploymentId: string): string {
  return `/v2/deployments/${segment("deployment", deploymentId)}`;
}

/**
 * Returns the path of a revision.
 * @throws AgentServerError `unexpected_response` for an ID that cannot be part of a URL
 */
export function revisionPath(deploymentId: string, revisionId: string): string {
  return `${deploymentPath(deploymentId)}/revisions/${segment("revision", revisionId)}`;
}

/** Maximum length of an ID, in characters. */
const maxIdLength = 256;

/** Encodes an ID. An ID that consists of dots would refer to a different path even if it were encoded. */
function segment(of: string, id: string): string {
  if (id !== "" && id.length <= maxIdLength && !/^\.{1,2}$|[\p{Cc}\p{Cs}]/u.test(id))
    return encodeURIComponent(id);
  throw new AgentServerError(
    "unexpected_response",
    `The ID ${JSON.stringify(id.slice(0, 40))} of a ${of} cannot be part of a URL, so no request was sent. Check that agentserver:baseUrl points to a control plane.`,
  );
}

import { AgentServerError } from "../../errors";
import type { AgentServerKind } from "../../resource/kind";
import type { ManagedState } from "../../resource/managed";
import type { ImportedObject } from "../../resource/operation";
import type { ServerInputs } from "../../resource/server";

/** Fields of a kind that determine the format of its import IDs. */
type Importable = Pick<AgentServerKind<ServerInputs, ServerInputs & ManagedState, string>, "type" | "idForm">;

const ofDeployment = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(.+)$/is;
const ofConnection = /^(https?:\/\/[^?#]+)(?:\?apiKeyFrom=([^&#]+))?#(.+)$/is;

/**
 * Splits an import ID into the object's own ID and the inputs that specify its agent server. In the import ID, the ID
 * of the deployment or the URL of the server precedes the object's own ID.
 * @throws AgentServerError `bad_configuration` for an ID in a different format, and for a kind that cannot be imported
 */
export function parseImportId(importId: string, { type, idForm }: Importable): ImportedObject {
  if (idForm === undefined)
    throw new AgentServerError(
      "bad_configuration",
      `A ${type} cannot be imported, because it is an action and not an object on the server. Declare the resource instead.`,
    );
  const [, deploymentId, own] = ofDeployment.exec(importId) ?? [];
  if (deploymentId !== undefined) return { id: own!, server: { deployment: { id: deploymentId } } };
  const [, url, apiKeyFrom, other] = ofConnection.exec(importId) ?? [];
  if (url !== undefined) {
    const key = apiKeyFrom === undefined ? {} : { apiKeyFrom: decodeURIComponent(apiKeyFrom) };
    return { id: other!, server: { connection: { url, ...key } } };
  }
  throw new AgentServerError(
    "bad_configuration",
    `The ID must also identify the agent server: \`<deployment ID>/${idForm}\` or, for an agent server without a deployment, \`<URL>#${idForm}\` or \`<URL>?apiKeyFrom=<name of its key>#${idForm}\`.`,
  );
}

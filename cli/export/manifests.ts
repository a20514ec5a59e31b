import { manifestOf, type DeploymentManifest } from "../../sdk/manifests/format";
import { literally, secretReference } from "../../sdk/manifests/references";
import { literalValue, writeManifests } from "../../sdk/manifests/write";
import { commentOut, commentLine } from "./comment";
import type { ExportedDeployment, ExportedFile } from "./model";

/**
 * Creates one manifest per deployment.
 *
 * @param schema path of the JSON Schema for editors
 */
export function manifestFiles(deployments: readonly ExportedDeployment[], schema?: string): ExportedFile[] {
  return deployments.map((deployment) => {
    const { id, file, notices, asComment } = deployment;
    const text = manifestText(deployment, schema);
    const head = [`Deployment ${id}`, ...notices].map((line) => `${commentLine("#", line)}\n`).join("");
    return { name: `${file}.yaml`, text: head + (asComment ? commentOut("#", text) : text) };
  });
}

/** Creates the manifest of a deployment, without comments. */
export function manifestText(deployment: ExportedDeployment, schema?: string): string {
  return writeManifests([manifestFor(deployment)], schema === undefined ? {} : { schema });
}

/** Returns the manifest of a deployment as an object. */
export function manifestFor({ resource, inputs, secrets }: ExportedDeployment): DeploymentManifest {
  const { name, secrets: values, adopt, ...others } = inputs;
  const isNamed = name !== undefined && name !== resource;
  return manifestOf(resource, {
    ...(isNamed && { name: literally(name) }),
    ...literalValue(others),
    ...(values && {
      secrets: Object.fromEntries(secrets.map((secret) => [secret.name, secretReference(secret.key)])),
    }),
    adopt,
  });
}

import { manifestOf, type DeploymentManifest } from "../../sdk/manifests/format";
import { literally, secretReference } from "../../sdk/manifests/references";
import { literalValue, writeManifests } from "../../sdk/manifests/write";
import { commentedOut, commentLine } from "./comment";
import type { ExportedDeployment } from "./exported-deployment";
import type { ExportedFile } from "./exported-file";

/**
 * One manifest for each deployment.
 *
 * @param schema where an editor finds the JSON Schema of a manifest
 */
export function manifestFiles(deployments: readonly ExportedDeployment[], schema?: string): ExportedFile[] {
  return deployments.map((deployment) => {
    const { id, file, notices, asComment } = deployment;
    const text = manifestText(deployment, schema);
    const head = [`Deployment ${id}`, ...notices].map((line) => `${commentLine("#", line)}\n`).join("");
    return { name: `${file}.yaml`, text: head + (asComment ? commentedOut("#", text) : text) };
  });
}

/** The manifest of a deployment, without comments. */
export function manifestText(deployment: ExportedDeployment, schema?: string): string {
  return writeManifests([manifestFor(deployment)], schema === undefined ? {} : { schema });
}

/** What the manifest of a deployment says. */
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

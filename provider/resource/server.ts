import { z } from "zod";
import { type ConnectionInputs, connectionInputs, isConnection } from "../control-plane/connection-inputs";
import { text } from "./inputs/shape";
import { hasUnknown } from "./inputs/unknown";
import { at, type Props } from "./inputs/values";

/** Inputs that specify the agent server of a resource. Exactly one of the two is required. */
export const serverInputs = {
  /**
   * A deployment. Changing the deployment replaces the resource; changing only the address or the connection does not.
   */
  deployment: z
    .strictObject({
      id: text,
      url: text.optional(),
      /** Connection to the control plane of the deployment, if it is not the configured one. */
      connection: connectionInputs.optional(),
    })
    .optional(),
  /**
   * Any other agent server, with the name of the configuration key or environment variable that contains its API key.
   */
  connection: z.strictObject({ url: text, apiKeyFrom: text.optional() }).optional(),
};

export interface ServerInputs {
  deployment?:
    { id: string; url?: string | undefined; connection?: ConnectionInputs | undefined } | undefined;
  connection?: { url: string; apiKeyFrom?: string | undefined } | undefined;
}

/** Reports an issue unless the inputs contain either a deployment or a connection, but not both. */
export function requireServer(inputs: ServerInputs, context: z.core.$RefinementCtx): void {
  if ((inputs.deployment === undefined) === (inputs.connection === undefined))
    context.addIssue({
      code: "custom",
      path: [inputs.deployment === undefined ? "deployment" : "connection"],
      message:
        inputs.deployment === undefined
          ? "is required, unless you specify a connection to another agent server"
          : "cannot be combined with deployment",
    });
}

/** Address of an agent server, and the source of its API key. */
export interface ServerAddress {
  url: string;
  /** ID of the deployment that the agent server belongs to. The server then uses the same key as the control plane. */
  deploymentId?: string;
  /** Connection to the control plane of the deployment, if it is not the configured one. */
  controlPlane?: ConnectionInputs;
  /**
   * Configuration key or environment variable that contains the API key, if the server does not belong to a deployment.
   */
  apiKeyFrom?: string;
}

/** Returns the server that inputs or state specify; `undefined` if its address is not known yet. */
export function serverIn(values: Props): ServerAddress | undefined {
  const [deploymentUrl, url] = [at(values, "deployment.url"), at(values, "connection.url")];
  const [deploymentId, apiKeyFrom] = [at(values, "deployment.id"), at(values, "connection.apiKeyFrom")];
  const controlPlane = at(values, "deployment.connection");
  if (typeof deploymentUrl === "string" && typeof deploymentId === "string") {
    if (controlPlane === undefined) return { url: deploymentUrl, deploymentId };
    return isConnection(controlPlane) ? { url: deploymentUrl, deploymentId, controlPlane } : undefined;
  }
  if (typeof url !== "string" || hasUnknown(apiKeyFrom)) return undefined;
  return { url, ...(typeof apiKeyFrom === "string" && { apiKeyFrom }) };
}

/**
 * Paths of the inputs that identify an agent server. A deployment is identified by its ID, because its address may
 * change.
 */
export const serverPaths = ["deployment.id", "connection.url"] as const;

/** True if two resources are on the same agent server, or if both are on a control plane. */
export function isSameServer(one: object, other: object): boolean {
  return serverPaths.every((path) => at(one, path) === at(other, path));
}

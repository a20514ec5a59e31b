import { z } from "zod";
import { dialectOf } from "../control-plane/dialects";
import { AgentServerError } from "../errors";
import type { Props } from "./inputs/values";

/** A workspace of a control plane. */
export const location = z.object({
  baseUrl: z.string(),
  /** ID of the workspace; empty if the key alone determines the workspace. */
  tenantId: z.string(),
});

export type Location = z.infer<typeof location>;

/** The control plane of a resource. */
export const controlPlaneAddress = location.extend({
  /** Name of the dialect. It may be one that only a later release supports. */
  dialect: z.string().default("interface"),
});

export type ControlPlaneAddress = z.infer<typeof controlPlaneAddress>;

/** Returns the paths, as lists of keys, of the fields of `controlPlane` that repeat secret fields of a connection. */
export function secretLocations(isSecret: (field: "baseUrl" | "region" | "tenantId") => boolean): string[][] {
  return [
    ...(isSecret("baseUrl") || isSecret("region") ? [["controlPlane", "baseUrl"]] : []),
    ...(isSecret("tenantId") ? [["controlPlane", "tenantId"]] : []),
  ];
}

/**
 * Returns the location of a resource according to its state; `undefined` for a resource that is not in state.
 * @throws AgentServerError `bad_configuration` for damaged state, and for a dialect from a later release
 */
export function addressIn({ controlPlane }: Props): ControlPlaneAddress | undefined {
  const { data, error } = controlPlaneAddress.optional().safeParse(controlPlane);
  if (error) throw damagedState(error, "controlPlane");
  if (data) dialectOf(data.dialect);
  return data;
}

/** Returns the error for state that does not match the schema of any release. */
export function damagedState({ issues: [issue] }: z.core.$ZodError, ...within: string[]): AgentServerError {
  const place = [...within, ...(issue?.path ?? [])].join(".");
  return new AgentServerError(
    "bad_configuration",
    `The state of this resource cannot be read: ${place}: ${issue?.message}. Restore it from the stack's history: \`pulumi stack history\` lists the versions, \`pulumi stack export --version\` exports one of them, and \`pulumi stack import\` restores it.`,
  );
}

/** Fields in the state of every kind. */
export interface ManagedState {
  /** Owner ID in the ownership tags of this resource's objects. */
  ownerId: string;
  /** Control plane of the resource, or of the deployment that contains it. */
  controlPlane?: Location | undefined;
  /**
   * Digests, by path, of inputs that are in effect but too large for the message in which a failed operation returns
   * its state to the engine.
   */
  omitted?: Record<string, string>;
  /**
   * ID of the create that this state results from. It differs between creates, even if they result in the same object.
   */
  creationId?: string;
  /**
   * IDs of the resources that this resource has replaced, newest first. The engine may still have to delete these
   * resources.
   */
  replaced?: string[];
  /** Version of the format in which the state is stored. */
  schemaVersion: number;
}

/** State of the kinds on a control plane. */
export interface ControlPlaneState extends ManagedState {
  controlPlane: ControlPlaneAddress;
}

import { z } from "zod";
import { dialectOf } from "../control-plane/dialects";
import { AgentServerError } from "../errors";
import type { Props } from "./inputs/values";

/** The control plane that holds a resource. */
export const controlPlaneAddress = z.object({
  baseUrl: z.string(),
  /** Empty where the key alone names the workspace. */
  tenantId: z.string(),
  /** May be one that a later release knows. */
  dialect: z.string().default("interface"),
});

export type ControlPlaneAddress = z.infer<typeof controlPlaneAddress>;

/** A workspace of a control plane. */
export type Location = Pick<ControlPlaneAddress, "baseUrl" | "tenantId">;

/**
 * Where the state says that a resource is; nothing for one that is not in state.
 * @throws AgentServerError `bad_configuration` for a state that was damaged, and for a dialect of a later release
 */
export function addressIn({ controlPlane }: Props): ControlPlaneAddress | undefined {
  const { data, error } = controlPlaneAddress.optional().safeParse(controlPlane);
  if (error) throw damagedState(error, "controlPlane");
  if (data) dialectOf(data.dialect);
  return data;
}

/** The refusal of a state that no release has written. */
export function damagedState({ issues: [issue] }: z.core.$ZodError, ...within: string[]): AgentServerError {
  const place = [...within, ...(issue?.path ?? [])].join(".");
  return new AgentServerError(
    "bad_configuration",
    `The state of this resource cannot be read: ${place}: ${issue?.message}. Restore it from the stack's history: \`pulumi stack history\` lists the versions, \`pulumi stack export --version\` with the number of one writes it, and \`pulumi stack import\` reads it.`,
  );
}

/** What the state of every kind holds. */
export interface ManagedState {
  /** Owner id in the ownership tag of what this resource manages. */
  ownerId: string;
  /** Holds the resource, or the deployment that the resource is in. */
  controlPlane?: Location | undefined;
  /**
   * Digests of inputs that are in force but too large for the way on which a failed operation hands its state to the
   * engine, by their paths.
   */
  omitted?: Record<string, string>;
  /** Distinguishes this state from that of an earlier create that led to the same object. */
  creationId?: string;
  /** Ids of the resources that this one replaced, newest first; the engine may still have to delete them. */
  replaced?: string[];
  /** Version of the state's shape. */
  schemaVersion: number;
}

/** State of the kinds on a control plane. */
export interface ControlPlaneState extends ManagedState {
  controlPlane: ControlPlaneAddress;
}

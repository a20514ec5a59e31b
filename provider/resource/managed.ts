import type { DialectName } from "../../wire";

/** The control plane that holds a resource. */
export interface ControlPlaneAddress {
  baseUrl: string;
  /** Empty where the key alone names the workspace. */
  tenantId: string;
  dialect: DialectName;
}

/** What the state of every kind holds. */
export interface ManagedState {
  controlPlane: ControlPlaneAddress;
  /** The ownership tag: by it this resource recognizes what is its own. */
  ownerId: string;
  /**
   * Digests of inputs that are in force but too large for the way on which a failed operation hands its state to the
   * engine, by their paths.
   */
  omitted?: Record<string, string>;
  /** Version of the state's shape. */
  schemaVersion: number;
}

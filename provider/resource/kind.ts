import type { z } from "zod";
import type { AgentServerOperation } from "./operation";
import type { AgentServerChecks, Checks } from "./checks";
import { secretAmong, type IsSecret } from "./call";
import type { ControlPlaneOperation } from "./operation";
import type { Finding } from "./inputs/finding";
import { type ControlPlaneState, type ManagedState, secretLocations } from "./managed";
import type { Result, Operation } from "./operation";
import type { CommonCode, Plan, Words } from "./plan";
import type { ServerInputs } from "./server";
import { at, type Props } from "./inputs/values";

/** Values that a plan is based on. */
export interface PlanQuestion<Inputs, State> {
  state: State;
  /** The desired inputs. Values that are unknown in a preview are `notKnownYet`. */
  wanted: Inputs;
  isSecret: IsSecret;
  /** True if the program requests a replacement when the value at this path changes. */
  replacesOn: (path: string) => boolean;
}

/** Values that the provider computes, and findings about them. */
export interface Computed {
  values: Record<string, unknown>;
  findings: Finding[];
}

/** Values from which inputs are computed, in addition to the inputs of the program. */
interface ComputedFrom {
  /** Folder that relative paths in the program are resolved against. */
  workingFolder: string;
  urn: string;
  /** The previous inputs, even if the resource is being replaced; empty for a new resource. */
  olds: Props;
}

/** Properties that are stored with a resource but never displayed. */
export type Hidden = Readonly<Record<`__${string}`, unknown>>;

/** Result of a read: the state and the inputs, both with the values that the server currently reports. */
export interface Found<Inputs, State> {
  state: State;
  inputs: Inputs;
}

/**
 * A kind of resource, with everything that the core needs to manage it, regardless of the host. `Code` is the type of
 * all reason codes that its plans can have.
 */
interface Kind<
  Inputs extends object,
  State extends Inputs & ManagedState,
  Op extends Operation,
  Code extends string = CommonCode,
> {
  /** Name in type tokens, for example `Deployment`. */
  type: string;
  /** Schema of the inputs. */
  inputs: z.ZodType<Inputs>;
  /** Names of the outputs. */
  outputs: readonly string[];
  /** Paths of inputs that can be reset with `null`; by default, all inputs that can be `null`. */
  clearable?: readonly string[];
  /** Names of inputs that are maps in which every value is secret. */
  secretMaps?: readonly string[];
  /**
   * Placeholders, by path, for large inputs that may be omitted from the state of a failed operation; `undefined` for
   * all other inputs. Parts of an input that have separate paths are omitted before the whole input.
   */
  omittable?: Readonly<Record<string, unknown>>;
  /** Outputs that can be omitted from the state until the next read. */
  restorableOutputs?: readonly string[];
  /**
   * Reads the state that the engine stored.
   * @throws AgentServerError `bad_configuration` for state that a newer release has written
   */
  readState(values: Props): State;
  /**
   * Path of the input that specifies the timeout of create, update, and delete. If it is omitted, only `customTimeouts`
   * applies.
   */
  timeoutInput?: string;
  /** Returns strings in the inputs that must not be displayed, in addition to those in `secretMaps`. */
  secretTexts?(inputs: Inputs, isSecret: IsSecret): string[];
  /** Returns the paths, as lists of keys, of existing outputs that repeat a secret input. */
  secretCopies?(state: State, isSecret: IsSecret): string[][];
  /**
   * Computes values from the inputs and this machine, such as the hash of a folder. Returns the values to add to the
   * inputs, by path, and findings. Names that start with `__` are never displayed.
   */
  computed?(inputs: Props, where: ComputedFrom): Promise<Computed>;
  /** Returns additional lines for the user about a change between two sets of hidden values. */
  remarks?(before: Hidden, after: Hidden): string[];
  /**
   * True if a rename does not write the ownership tag of a resource with these inputs, so that the previous tag stays.
   */
  keepsTag?(inputs: Inputs): boolean;
  /** Names of the outputs that a rename may change by writing the ownership tag. */
  tagOutputs?: readonly string[];
  /** Plans an update. Pure function: sends no requests. */
  plan(question: PlanQuestion<Inputs, State>): Plan<Code>;
  /** Text for each reason code that the kind's plans use. */
  words: Words<Code | CommonCode>;
  /**
   * Creates the resource.
   * @param predecessor ID of the resource to be replaced, if it still exists
   * @param pending IDs of resources in state that are pending deletion after earlier replacements
   */
  create(op: Op, inputs: Inputs, predecessor?: string, pending?: readonly string[]): Promise<Result<State>>;
  /**
   * Reads the resource.
   * @returns `undefined` if it no longer exists
   */
  read(op: Op, id: string, known: State | undefined): Promise<Found<Inputs, State> | undefined>;
  update(op: Op, id: string, state: State, inputs: Inputs): Promise<Result<State>>;
  /**
   * Deletes the resource.
   * @param known the previous state; undefined if only the ID is known
   * @param successor inputs of the replacement, if it is created after the deletion
   * @param replacement the replacement, if it already exists
   */
  delete(
    op: Op,
    id: string,
    known: State | undefined,
    successor?: Inputs,
    replacement?: { id: string; inputs: Inputs },
  ): Promise<void>;
}

/** A kind of resource on the control plane. */
export interface ControlPlaneKind<
  Inputs extends object,
  State extends Inputs & ControlPlaneState,
  Code extends string = CommonCode,
> extends Kind<Inputs, State, ControlPlaneOperation, Code> {
  endpointType: "control plane";
  /** Returns the checks for a run. Called once per run, for all resources of the kind. */
  checks(): Checks;
}

/** A kind of resource on an agent server. */
export interface AgentServerKind<
  Inputs extends ServerInputs,
  State extends Inputs & ManagedState,
  Code extends string = CommonCode,
> extends Kind<Inputs, State, AgentServerOperation, Code> {
  endpointType: "agent server";
  /**
   * Format of the object's own ID in import IDs, such as `<assistant ID>`. If it is omitted, objects cannot be
   * imported.
   */
  idForm?: string;
  /** Returns the checks for a run. Called once per run, for all resources of the kind. */
  checks(): AgentServerChecks;
}

/** Any kind of resource. Its functions receive only values that its schemas have validated. */
export type AnyKind = Kind<object, ManagedState, Operation, string>;

/** Any kind of resource on a control plane or on agent servers. */
export type PlacedKind =
  | ControlPlaneKind<object, ControlPlaneState, string>
  | AgentServerKind<ServerInputs, ServerInputs & ManagedState, string>;

/** Returns the inputs among the properties of a resource. */
export function inputsOf(kind: Pick<AnyKind, "outputs">, values: Props): object {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !kind.outputs.includes(key)));
}

/** Returns the paths, as lists of keys, of values that repeat a secret input. The properties may be incomplete. */
export function secretCopiesIn(kind: AnyKind, props: Props, secretPaths: readonly string[]): string[][] {
  const isSecret = secretAmong(secretPaths);
  const isSecretInput = (path: string) => at(props, path) !== undefined && isSecret(path);
  const locations = secretLocations(
    (field) => isSecretInput(`connection.${field}`) || isSecretInput(`deployment.connection.${field}`),
  );
  const copies = kind.secretCopies?.(props as never, isSecret) ?? [];
  return [...copies, ...locations].filter(([name = ""]) => props[name] !== undefined);
}

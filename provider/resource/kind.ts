import type { z } from "zod";
import type { AgentServerOperation } from "./operation";
import type { AgentServerChecks, Checks } from "./checks";
import type { IsSecret } from "./call";
import type { ControlPlaneOperation } from "./operation";
import type { Finding } from "./inputs/finding";
import type { ControlPlaneState, ManagedState } from "./managed";
import type { Result, Operation } from "./operation";
import type { CommonCode, Plan, Words } from "./plan";
import type { ServerInputs } from "./server";
import type { Props } from "./inputs/values";

/** What a plan depends on. */
export interface PlanQuestion<Inputs, State> {
  state: State;
  /** Values may be `notKnownYet`. */
  wanted: Inputs;
  isSecret: IsSecret;
  /** Whether the program asks for a replacement when that changes. */
  replacesOn: (path: string) => boolean;
}

/** Values that the provider finds out by itself, and what is wrong with what it found. */
export interface Computed {
  values: Record<string, unknown>;
  findings: Finding[];
}

/** What computed values depend on besides the inputs. */
interface ComputedFrom {
  /** Folder that relative paths of the program are resolved against. */
  workingFolder: string;
  urn: string;
  /** The inputs so far, also of a resource that is being replaced; empty for a new one. */
  olds: Props;
}

/** Properties that are kept with a resource and shown nowhere. */
export type Hidden = Readonly<Record<`__${string}`, unknown>>;

/** What was found at the control plane: the state and the inputs, with drift in them. */
export interface Found<Inputs, State> {
  state: State;
  inputs: Inputs;
}

/**
 * One kind of resource: everything that the core needs to run it, and nothing about the host that it runs in. `Code` has
 * the codes of all reasons that its plans may have.
 */
interface Kind<
  Inputs extends object,
  State extends Inputs & ManagedState,
  Op extends Operation,
  Code extends string = CommonCode,
> {
  /** Its name in type tokens, for example `Deployment`. */
  type: string;
  /** Everything that a user may say. */
  inputs: z.ZodType<Inputs>;
  /** Names of what state holds besides the inputs. */
  outputs: readonly string[];
  /** Inputs of which every entry is a secret. */
  secretMaps?: readonly string[];
  /**
   * Values that replace large inputs in the state of a failed operation, by their paths; `undefined` for all others. Parts
   * of an input that have paths of their own are omitted before the whole input.
   */
  omittable?: Readonly<Record<string, unknown>>;
  /** Outputs that the state can do without until the next read. */
  dispensable?: readonly string[];
  /**
   * Reads the state that the engine kept.
   * @throws AgentServerError `bad_configuration` for the state of a newer release
   */
  readState(values: Props): State;
  /** Path of the input that has the time for create, update and delete; without it `customTimeouts` alone has. */
  timeoutInput?: string;
  /** Texts in the inputs that must not be shown, besides those of `secretMaps`. */
  secretTexts?(inputs: Inputs, isSecret: IsSecret): string[];
  /** Paths, as keys, of outputs that repeat an input which is secret. */
  secretCopies?(state: State, isSecret: IsSecret): string[][];
  /**
   * What follows from the inputs and this machine, such as the hash of a folder: values by the paths where they go into the
   * inputs, and what is wrong. Names that begin with `__` are shown nowhere.
   */
  computed?(inputs: Props, where: ComputedFrom): Promise<Computed>;
  /** Lines for people about a change, beside its reasons. */
  remarks?(before: Hidden, after: Hidden): string[];
  /** True if a rename must not write the ownership tag with these inputs, so that the earlier one stays. */
  keepsTag?(inputs: Inputs): boolean;
  /** Pure: makes no request. */
  plan(question: PlanQuestion<Inputs, State>): Plan<Code>;
  /** What the reasons of its plans say. */
  words: Words<Code | CommonCode>;
  /**
   * @param predecessor id of the resource that it replaces, if that still exists
   * @param pending ids of resources in state that are to be deleted after earlier replacements
   */
  create(op: Op, inputs: Inputs, predecessor?: string, pending?: readonly string[]): Promise<Result<State>>;
  /** @returns nothing when the resource is gone. */
  read(op: Op, id: string, known: State | undefined): Promise<Found<Inputs, State> | undefined>;
  update(op: Op, id: string, state: State, inputs: Inputs): Promise<Result<State>>;
  /**
   * @param known the state so far; undefined if only the id is known
   * @param successor inputs of its replacement, if that is created after the deletion
   * @param replacement its replacement, if that exists already
   */
  delete(
    op: Op,
    id: string,
    known: State | undefined,
    successor?: Inputs,
    replacement?: { id: string; inputs: Inputs },
  ): Promise<void>;
}

/** A kind of resource that lives at the control plane. */
export interface ControlPlaneKind<
  Inputs extends object,
  State extends Inputs & ControlPlaneState,
  Code extends string = CommonCode,
> extends Kind<Inputs, State, ControlPlaneOperation, Code> {
  livesAt: "control plane";
  /** Made once for all resources of a run. */
  checks(): Checks;
}

/** A kind of resource that lives at the agent server of a deployment. */
export interface AgentServerKind<
  Inputs extends ServerInputs,
  State extends Inputs & ManagedState,
  Code extends string = CommonCode,
> extends Kind<Inputs, State, AgentServerOperation, Code> {
  livesAt: "agent server";
  /** Made once for all resources of a run. */
  checks(): AgentServerChecks;
}

/** A kind, whatever its inputs are: what goes into it has been parsed by its own schemas. */
export type AnyKind = Kind<object, ManagedState, Operation, string>;

/** The same, with where it lives. */
export type PlacedKind =
  | ControlPlaneKind<object, ControlPlaneState, string>
  | AgentServerKind<ServerInputs, ServerInputs & ManagedState, string>;

/** The properties that a user wrote, without outputs. */
export function inputsOf(kind: Pick<AnyKind, "outputs">, values: Props): object {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !kind.outputs.includes(key)));
}

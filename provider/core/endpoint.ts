import type { Call } from "../resource/call";
import type { Checked } from "../resource/checks";
import type { Finding } from "../resource/inputs/finding";
import type { ManagedState } from "../resource/managed";
import type { Deadline } from "../deadline";
import type { Operation, OperationResource } from "../resource/operation";
import type { Props } from "../resource/inputs/values";
import type { Session } from "../session/session";
import type { EngineReporter } from "./engine-reporter";

/** A resource whose inputs are checked in one call from the engine. */
export interface CheckedResource extends Checked {
  /** Findings about the engine's call, such as an invalid timeout. */
  faults: readonly Finding[];
  /** The `replaceOnChanges` option in the program. */
  replaceOnChanges?: readonly string[] | undefined;
  /** Signal that is aborted when the engine cancels the call. */
  signal?: AbortSignal | undefined;
  /** Redacts the secrets of the resource in text that a server returned. */
  redact: (text: string) => string;
}

/** Values from which the context of a new operation is created. */
export interface OperationContext {
  reporter: EngineReporter;
  call: Call;
  /** True if the operation may make changes. */
  writes: boolean;
  /** True if the operation has program inputs, unlike a read or a delete. */
  hasInputs: boolean;
  /** Properties in state or, for a create, the inputs of the program. */
  known: Props;
  /** Desired inputs or, for a read or a delete, the properties in state. */
  wanted: Props;
  resource: OperationResource;
  /** Time limit of the operation. It starts when the operation is created. */
  limit: Omit<Deadline, "at">;
  /** Import ID of an object that is not in state. */
  importId?: string | undefined;
  redact: (text: string) => string;
}

/** Location of the resources of a kind, as used by the core: the control plane or the agent servers. */
export interface Endpoint {
  /** Returns findings about the configuration that affect a resource with these inputs. */
  failures(news: Props): Finding[];
  /** Returns the secrets of the connections in these properties, and those of the configured connection. */
  secrets(all: readonly Props[]): string[];
  /**
   * Returns all findings about inputs. Called before any change.
   * @param olds the inputs in state; empty for a resource that is not in state
   * @param news the inputs of the program, which may be invalid or unknown
   */
  findings(olds: Props, news: Props, who: CheckedResource): Promise<Finding[]>;
  /**
   * True if the control plane address or the workspace in the connection differs from the one in state, and the
   * configuration allows this.
   * @param wanted inputs of the program, which may be unknown
   * @throws AgentServerError `moved_control_plane` if the configuration does not allow the difference
   */
  hasMoved(state: ManagedState, wanted: Props): boolean;
  operation(course: OperationContext): Promise<Operation>;
}

/** Values and functions that an endpoint needs. */
export interface EndpointOptions {
  session: Session;
  /** Returns the value of any configuration key of the stack. */
  config: (key: string) => string | undefined;
  /** Maximum time for all questions that a preview asks about one resource, in milliseconds of real time. */
  maxWaitMs: number;
}

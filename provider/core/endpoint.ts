import type { Call } from "../resource/call";
import type { Checked } from "../resource/checks";
import type { Finding } from "../resource/inputs/finding";
import type { ManagedState } from "../resource/managed";
import type { Deadline } from "../deadline";
import type { Operation, OperationResource } from "../resource/operation";
import type { Props } from "../resource/inputs/values";
import type { Session } from "../session/session";
import type { EngineReporter } from "./engine-reporter";

/** A resource whose inputs are checked, in one call of the engine. */
export interface CheckedNow extends Checked {
  /** What is wrong with the call itself. */
  faults: readonly Finding[];
  /** The program's option of that name. */
  replaceOnChanges?: readonly string[] | undefined;
  /** Takes its secrets out of what a server says. */
  redact: (text: string) => string;
}

/** Everything that an endpoint needs to create an operation. */
export interface OperationContext {
  reporter: EngineReporter;
  call: Call;
  /** Whether it may change something. */
  writes: boolean;
  /** Whether there are inputs of a program: neither a read nor a delete has any. */
  hasInputs: boolean;
  /** The state or, for a create, the inputs. */
  known: Props;
  /** What is wanted or, where nothing is, the state. */
  wanted: Props;
  resource: OperationResource;
  /** Time limit of the operation, which starts when the operation is created. */
  limit: Omit<Deadline, "at">;
  redact: (text: string) => string;
}

/** Where the resources of a kind live, with one configuration: what the core needs of it. */
export interface Endpoint {
  /** What is wrong with the configuration, for a resource with these inputs. */
  failures(news: Props): Finding[];
  /** What of the connection must not be shown. */
  secrets(all: readonly Props[]): string[];
  /**
   * Everything that can be said about inputs before anything is done.
   * @param olds the inputs in state; empty for a resource that is not in state
   * @param news the inputs of the program; nothing in them needs to be right or known yet
   */
  findings(olds: Props, news: Props, who: CheckedNow): Promise<Finding[]>;
  /**
   * Whether the configuration names the place by another address than the state.
   * @throws AgentServerError `moved_control_plane` where it is another place
   */
  hasMoved(state: ManagedState): boolean;
  operation(course: OperationContext): Promise<Operation>;
}

/** What a place is made of. */
export interface EndpointOptions {
  session: Session;
  /** Reads any key of the stack's configuration. */
  config: (key: string) => string | undefined;
  /** Longest time for all questions of a preview about one resource, in milliseconds of real time. */
  patienceMs: number;
}

import type { AgentServerClient } from "../agent-server/client";
import type { Clock } from "../clock";
import type { ControlPlaneClient } from "../control-plane/client";
import type { Dialect } from "../control-plane/dialects";
import type { DeploymentRecord } from "../../wire";
import type { IsSecret } from "./call";
import type { Finding } from "./inputs/finding";
import type { DesiredInputs } from "./inputs/wanted";
import type { OwnerIds, ResourceIdentity } from "./ownership/owner-id";

/** A resource whose inputs are checked. */
export interface Checked extends OwnerIds, Omit<ResourceIdentity, "backend"> {
  /** ID of the object that the resource replaces, if the plan in this run replaces one. */
  predecessor?: string | undefined;
  /** True if the program marked the input at a path as secret. */
  isSecret: IsSecret;
  /** Resources in state that are pending deletion after earlier replacements. */
  pending?: readonly string[] | undefined;
}

/** Values and functions for answering a question about inputs of a resource on a control plane. */
export interface Sources extends Checked {
  /** Creates a client for the control plane. */
  client: () => ControlPlaneClient;
  clock: Pick<Clock, "now">;
  /** Returns a client for the agent server at this URL, with the same API key. */
  agentServer: (url: string) => AgentServerClient;
  /** Returns the deployments in the workspace with exactly this name. */
  findByName: (name: string) => Promise<DeploymentRecord[]>;
  findByAgent: (agentId: string, environment: string) => Promise<DeploymentRecord[]>;
  /** True if the control plane is on this machine, so that it has access to the same folders. */
  isLocal: boolean;
  /** Dialect of the control plane; omitted if the questions do not depend on it. */
  dialect: Dialect | undefined;
  /** Requests a fact about the control plane once, even if many resources need it. */
  once: <Fact>(fact: string, ask: () => Promise<Fact>) => Promise<Fact>;
  signal: AbortSignal;
}

/** Values and functions for answering a question about inputs of a resource on an agent server. */
export interface ServerSources extends Checked {
  server: AgentServerClient;
  clock: Pick<Clock, "now">;
  /** Requests a fact about this server once, even if many resources need it. */
  once: <Fact>(fact: string, ask: () => Promise<Fact>) => Promise<Fact>;
  signal: AbortSignal;
}

/** Checks of one kind of resource on agent servers, in addition to the schema of the inputs. */
export interface AgentServerChecks {
  /** Returns conflicts between the program's resources of this kind, and records this resource. */
  compareResources?(wanted: DesiredInputs, who: Checked): Finding[];
  /** Returns the findings for inputs that agent servers reject, or accept without any effect. Pure function. */
  rules(wanted: DesiredInputs, now: number, isSecret: IsSecret): Finding[];
  /**
   * Functions that record facts that will be true after this program has run, for questions about other resources.
   * They send no requests.
   */
  declarations?: readonly ServerQuestion[];
  /** Questions to the server that the inputs specify. They are asked if its address is known. */
  questions: readonly ServerQuestion[];
  /**
   * Questions to the server that contains the resource according to the state. They are asked if its address is known.
   */
  questionsToOldServer?: readonly ServerQuestion[];
}

/** A question to an agent server about inputs; rejects if there is no response. */
type ServerQuestion = (wanted: DesiredInputs, sources: ServerSources) => Promise<Finding[]>;

/** A question to a control plane about new values of inputs; rejects if there is no response. */
export type Question = (wanted: DesiredInputs, sources: Sources) => Promise<Finding[]>;

/** Checks of one kind of resource on control planes, in addition to the schema of the inputs. */
export interface Checks {
  /** Names of the inputs that the rules and questions check. */
  about: readonly string[];
  /** Returns conflicts between the program's resources of this kind, and records this resource. */
  compareResources?(wanted: DesiredInputs, who: Checked): Finding[];
  /**
   * Returns the findings for inputs that control planes of one dialect reject, or accept without any effect. Pure
   * function.
   * @param selfHosted true if the control plane is a self-hosted installation
   */
  rules(wanted: DesiredInputs, dialect: Dialect, selfHosted: boolean): Finding[];
  /** True if the questions about these inputs depend on the control plane's dialect. */
  dependsOnDialect(wanted: DesiredInputs): boolean;
  questions: readonly Question[];
}

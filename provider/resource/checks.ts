import type { AgentServerClient } from "../agent-server/client";
import type { Clock } from "../clock";
import type { ControlPlaneClient } from "../control-plane/client";
import type { Dialect } from "../control-plane/dialects";
import type { DeploymentRecord } from "../../wire";
import type { IsSecret } from "./call";
import type { Finding } from "./inputs/finding";
import type { DesiredInputs } from "./inputs/wanted";
import type { OwnerIds } from "./ownership/owner-id";

/** A resource as a check sees it. */
export interface Checked extends OwnerIds {
  urn: string;
  /** Id of what it takes the place of, where the plan of this run replaces it. */
  predecessor?: string | undefined;
  /** True if the program marked the input at a path as secret. */
  isSecret: IsSecret;
  /** Resources in state that are to be deleted after earlier replacements. */
  pending?: readonly string[] | undefined;
}

/** What a question about inputs can be answered from. */
export interface Sources extends Checked {
  client: ControlPlaneClient;
  clock: Pick<Clock, "now">;
  /** Speaks to the agent server at that URL, with the same key. */
  agentServer: (url: string) => AgentServerClient;
  /** The deployments with exactly this name. */
  findByName: (name: string) => Promise<DeploymentRecord[]>;
  /** The deployments of an agent in one environment. */
  findByAgent: (agentId: string, environment: string) => Promise<DeploymentRecord[]>;
  /** Whether the control plane is on this machine, and so sees the same folders. */
  isLocal: boolean;
  /** Missing while it makes no difference. */
  dialect: Dialect | undefined;
  /** Asks for a fact once, however many resources need it. */
  once: <Fact>(fact: string, ask: () => Promise<Fact>) => Promise<Fact>;
  signal: AbortSignal;
}

/** What a question about inputs of an agent server's resource can be answered from. */
export interface ServerSources extends Checked {
  server: AgentServerClient;
  clock: Pick<Clock, "now">;
  /** Asks for a fact of this server once, however many resources need it. */
  once: <Fact>(fact: string, ask: () => Promise<Fact>) => Promise<Fact>;
  signal: AbortSignal;
}

/** How one kind of an agent server's resources is checked in a run of the engine, beyond the shape of its inputs. */
export interface AgentServerChecks {
  /** What the program's resources of this kind make wrong for each other; takes note of this one. */
  compareResources?(wanted: DesiredInputs, who: Checked): Finding[];
  /** What agent servers refuse, or take without success. Pure. */
  rules(wanted: DesiredInputs, now: number): Finding[];
  /** Facts that this program will make true, noted for the questions of others. Without requests. */
  declarations?: readonly ServerQuestion[];
  /** Asked if the address of the server is known. */
  questions: readonly ServerQuestion[];
  /** The same for the server that holds the resource in state. */
  questionsToOldServer?: readonly ServerQuestion[];
}

/** A question about inputs; rejects if there is no response. */
type ServerQuestion = (wanted: DesiredInputs, sources: ServerSources) => Promise<Finding[]>;

/** Asks the world about inputs, where there is something new to ask; rejects when there is no answer. */
export type Question = (wanted: DesiredInputs, sources: Sources) => Promise<Finding[]>;

/** How one kind of resource is checked in a run of the engine, beyond the shape of its inputs. */
export interface Checks {
  /** Names of the inputs that rules and questions are about. */
  about: readonly string[];
  /** What the program's resources of this kind make wrong for each other; takes note of this one. */
  compareResources?(wanted: DesiredInputs, who: Checked): Finding[];
  /**
   * What control planes of one dialect refuse, or take without success. Pure.
   * @param selfHosted whether the control plane is one of somebody's own installation
   */
  rules(wanted: DesiredInputs, dialect: Dialect, selfHosted: boolean): Finding[];
  /** Whether the questions depend on the dialect. */
  asksByDialect(wanted: DesiredInputs): boolean;
  questions: readonly Question[];
}

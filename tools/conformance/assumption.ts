import type { DialectName } from "../../wire";
import type { Subject } from "./deployments";
import type { Exchange, Requests } from "./requests";
import type { SourceName } from "./settings";
import type { Deployments } from "./deployments";

/** Verdict of a probe about an assumption. */
export type Verdict = "confirmed" | "refuted" | "not determined";

/** Result of a probe, with the reason. */
export interface Outcome {
  verdict: Verdict;
  /** Sentence or values that explain the verdict. */
  observed: string;
  /** Earlier exchanges that the verdict is based on, in addition to those of the probe. */
  evidence?: readonly Exchange[];
}

/** Location in the source tree that depends on an assumption. */
export interface Place {
  /** Path of the file relative to the repository. */
  file: string;
  /** Text that occurs in the file. It identifies the first line to change. */
  text: string;
}

/** Step of the run after which an assumption is probed. */
export type Stage = "access" | "created" | "rolled out" | "changed" | "deleted";

/** Objects that a probe uses. */
export interface Probe {
  dialect: DialectName;
  requests: Requests;
  deployments: Deployments;
}

interface AssumptionBase {
  /** Unique name, such as `changes.secrets`. The part before the dot is the group. */
  id: string;
  /** Assumption of the provider about the server, as a sentence. */
  sentence: string;
  /**
   * Basis of the assumption: the published documents, the code of official clients, or an inference from
   * both.
   */
  basis: "documented" | "clients" | "inferred";
  /** Lines to change if the assumption is refuted. */
  places: readonly [Place, ...Place[]];
  /** Dialects that the assumption applies to; all by default. */
  dialects?: readonly DialectName[];
}

/** Assumption about requests that do not require a deployment. */
export interface AccessAssumption extends AssumptionBase {
  stage: "access";
  probe(probe: Probe): Promise<Outcome>;
}

/** Assumption about a deployment. It is tested on each throwaway deployment whose source is in `sources`. */
export interface DeploymentAssumption extends AssumptionBase {
  stage: Exclude<Stage, "access">;
  /** Sources that the assumption applies to; all by default. */
  sources?: readonly SourceName[];
  probe(probe: Probe, subject: Subject): Outcome | Promise<Outcome>;
}

export type Assumption = AccessAssumption | DeploymentAssumption;

/** Returns `confirmed` if the condition is true, and otherwise `refuted`. */
export function judge(holds: boolean, observed: string, evidence?: readonly Exchange[]): Outcome {
  return { verdict: holds ? "confirmed" : "refuted", observed, ...(evidence && { evidence }) };
}

/** Returns the outcome of a probe that could not be performed. */
export function notDetermined(observed: string): Outcome {
  return { verdict: "not determined", observed };
}

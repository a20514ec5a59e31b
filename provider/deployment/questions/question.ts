import type { ControlPlaneClient } from "../../control-plane/client";
import type { Dialect } from "../../control-plane/dialects";
import type { DeploymentRecord } from "../../../wire";
import type { Finding } from "../../resource/finding";
import type { Siblings } from "./siblings";
import type { RepositoryReader } from "../../repository/reader";
import type { Wanted } from "../rules/wanted";

/** What a question about inputs can be answered from. */
export interface Sources {
  client: ControlPlaneClient;
  /** The deployments with exactly this name. */
  findByName: (name: string) => Promise<DeploymentRecord[]>;
  /** Reads git repositories; missing where that is not wanted. */
  repositories: RepositoryReader | undefined;
  /** Whether the control plane is on this machine, and so sees the same folders. */
  isLocal: boolean;
  /** Missing while it makes no difference. */
  dialect: Dialect | undefined;
  /** Whether a deployment will be made, for the first time or in place of the one in state. */
  makesOne: boolean;
  /** What the resource is recognized by in the ownership tag of its deployment. */
  ownerId: string;
  /** The program's resources that have been looked at so far. */
  siblings: Siblings;
  /** Asks for a fact once, however many resources need it. */
  once: <Fact>(fact: string, ask: () => Promise<Fact>) => Promise<Fact>;
  signal: AbortSignal;
}

/** Asks the world about inputs, where there is something new to ask; rejects when there is no answer. */
export type Question = (wanted: Wanted, sources: Sources) => Promise<Finding[]>;

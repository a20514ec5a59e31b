import type { DialectName } from "../../../../emulator/index";
import type { Accepted } from "../record/accepted";
import type { Program } from "../sequence/program";

/** What the way from one program to another asks for. */
export interface Asked {
  /** Whether anything is different at all. */
  changes: boolean;
  /** Whether it takes another deployment. */
  replaces: boolean;
  /** Whether it takes a revision. */
  revises: boolean;
  /** Which groups are sent. */
  sends: { buildOnPush: boolean; spec: boolean; secrets: boolean; source: boolean; trigger: boolean };
}

/** Compares what a stack has accepted, or a control plane shows, with what a program asks for now. */
export function asked(from: Accepted, to: Program, dialect: DialectName): Asked {
  const fields = Object.keys(to) as (keyof Program)[];
  const differing = new Set(fields.filter((field) => from[field] !== to[field]));
  const spec = differing.has("cpu") || differing.has("cpuLimit");
  const secrets = to.secret !== null && differing.has("secret");
  const trigger = to.trigger !== null && differing.has("trigger");
  const source =
    differing.has("repoRef") ||
    differing.has("graphConfigPath") ||
    trigger ||
    // Where secrets make no revision, only one that is asked for brings them to the agent.
    (dialect === "interface" && secrets && to.onSecretChange === "revise");
  return {
    changes: differing.size > 0,
    replaces: differing.has("name") || (differing.has("deploymentType") && from.deploymentType !== undefined),
    revises: source || (dialect === "langsmith" && (spec || secrets)),
    sends: { buildOnPush: differing.has("buildOnPush"), spec, secrets, source, trigger },
  };
}

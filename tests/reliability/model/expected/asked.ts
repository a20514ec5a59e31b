import type { DialectName } from "../../../../emulator/index";
import type { Accepted } from "../record/accepted";
import type { Program } from "../sequence/program";

/** Changes that are required to get from one program to another. */
export interface Asked {
  /** True if the programs differ. */
  changes: boolean;
  /** True if the changes require a new deployment. */
  replaces: boolean;
  /** True if the changes require a new revision. */
  revises: boolean;
  /** Groups of fields that have to be sent. */
  sends: { buildOnPush: boolean; spec: boolean; secrets: boolean; source: boolean; trigger: boolean };
}

/** Compares the accepted or reported values with the current program. */
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
    // If secrets do not create a revision, they reach the agent only with a requested revision.
    (dialect === "interface" && secrets && to.onSecretChange === "revise");
  return {
    changes: differing.size > 0,
    replaces: differing.has("name") || (differing.has("deploymentType") && from.deploymentType !== undefined),
    revises: source || (dialect === "langsmith" && (spec || secrets)),
    sends: { buildOnPush: differing.has("buildOnPush"), spec, secrets, source, trigger },
  };
}

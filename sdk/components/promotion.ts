import * as pulumi from "@pulumi/pulumi";
import { isCommit } from "../../wire/commit";

/** What one environment serves and the next one gets. */
export interface Promoted {
  /** A commit, or an image by its digest. */
  what: string;
  graphConfigPath?: string;
}

/** What an environment's next source follows from. */
export interface Crossing {
  environment: string;
  /** The environment before it. */
  before: string;
  /** What its gate lets through: nothing with null. Left out without a gate. */
  approved?: string | null;
  /** What the environment before it has settled and verified. */
  verified?: Promoted;
  /** What it serves itself, if it is there. */
  serves?: Promoted;
}

/**
 * What the environment gets: what is verified before it and passes its gate, and else what it serves already.
 * @throws RunError where it would get what is not verified, or is not there and gets nothing
 */
export function taken({ environment, before, approved, verified, serves }: Crossing): Promoted {
  const passes = verified !== undefined && (approved === undefined || isApproved(approved, verified.what));
  if (passes) return fixed(before, verified);
  if (serves) return serves;
  const reason =
    verified === undefined
      ? `${before} serves nothing that is verified`
      : `${approved} is approved, and ${before} has verified ${short(verified.what)}`;
  throw new pulumi.RunError(
    `Environment "${environment}" cannot be made: ${reason}. Run \`pulumi up\` again when they agree.`,
  );
}

/** Whether an approval is about this commit or image. */
export function isApproved(approved: string | null, what: string): boolean {
  if (approved === null) return false;
  if (approved === what || what.endsWith(`@${approved}`)) return true;
  return isCommit(what) && /^[0-9a-f]{7,}$/i.test(approved) && what.startsWith(approved.toLowerCase());
}

/** Whether it stands for the same content for ever. */
export function isImmutable(what: string): boolean {
  return isCommit(what) || /@sha256:[0-9a-f]{64}$/.test(what);
}

function fixed(before: string, promoted: Promoted): Promoted {
  if (isImmutable(promoted.what)) return promoted;
  throw new pulumi.RunError(
    `Environment "${before}" serves ${promoted.what}, which may stand for something else by now, so it cannot be promoted: give sourceRevisionConfig the full id of a commit, or an image by its digest.`,
  );
}

/** As people name a commit or an image. */
export function short(what: string): string {
  if (isCommit(what)) return what.slice(0, 7);
  return what.replace(/(@sha256:[0-9a-f]{12})[0-9a-f]+$/, "$1");
}

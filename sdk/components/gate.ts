import * as pulumi from "@pulumi/pulumi";
import { shellOperands } from "../../provider/text/shell-word";
import type { GateArgs } from "./environments-args";
import { isApproved, short, type Promoted } from "./promotion";

/** A gate with what it lets through. */
export interface Gate {
  approved: string | null;
  /** What to do to let something through. */
  toApprove: (what: string) => string;
}

/**
 * Reads a gate.
 * @param field as the program says it
 * @throws Error that names the field
 */
export function gateOf(field: string, gate: GateArgs): Gate {
  const { approved, approvedFrom } = gate as { approved?: unknown; approvedFrom?: unknown };
  if ((approved === undefined) === (approvedFrom === undefined))
    throw new Error(`${field} needs either approved (null for nothing yet) or approvedFrom.`);
  if (approvedFrom !== undefined) {
    if (typeof approvedFrom !== "string" || approvedFrom === "")
      throw new Error(`${field}.approvedFrom must be the name of a configuration key.`);
    const value = new pulumi.Config().get(approvedFrom)?.trim();
    return {
      approved: wellFormed(`${field}.approvedFrom (${approvedFrom})`, value || null),
      toApprove: (what) => `run \`pulumi config set ${shellOperands(approvedFrom, what)}\``,
    };
  }
  return {
    approved: wellFormed(`${field}.approved`, approved),
    toApprove: (what) => `set gate.approved to "${what}"`,
  };
}

function wellFormed(field: string, approved: unknown): string | null {
  if (approved === null || (typeof approved === "string" && /^[^\s]{7,}$/.test(approved))) return approved;
  throw new Error(
    `${field} must be a commit (at least its first seven digits) or an image with its digest, or null for nothing yet.`,
  );
}

/** What there is to be said about an environment with a gate. */
export interface Waiting {
  environment: string;
  before: string;
  gate: Gate;
  serves?: Promoted;
  /** What comes next: verified already, or still to be. */
  next?: { what: string; isVerified: boolean };
}

/** The line about what waits at a gate, if anything does. */
export function waitingLine({ environment, before, gate, serves, next }: Waiting): string | undefined {
  const stays = serves ? `${environment} stays at ${short(serves.what)}` : `${environment} is not made yet`;
  if (!next) return `${stays}; what ${before} verifies next waits for approval.`;
  const { what, isVerified } = next;
  if (what === serves?.what || isApproved(gate.approved, what)) return undefined;
  const waits = isVerified
    ? `is verified in ${before} and waits for approval`
    : `waits for approval until ${before} has verified it`;
  return `${stays}; ${short(what)} ${waits}: ${gate.toApprove(what)}.`;
}

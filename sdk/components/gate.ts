import * as pulumi from "@pulumi/pulumi";
import { shellOperands } from "../../provider/text/shell-word";
import type { GateArgs } from "./environments-args";
import { abbreviate, isApproved } from "../../provider/promotion/artifact";
import type { Promoted } from "./promotion";

/** Gate of an environment. */
export interface Gate {
  /** Approved commit or image; null if nothing is approved. */
  approved: string | null;
  /** Returns the instruction by which the user approves an artifact. */
  toApprove: (artifact: string) => string;
}

/**
 * Reads and validates a gate.
 * @param field its name in messages
 * @throws Error that names the field
 */
export function readGate(field: string, gate: GateArgs): Gate {
  const { approved, approvedFrom } = gate as { approved?: unknown; approvedFrom?: unknown };
  if ((approved === undefined) === (approvedFrom === undefined))
    throw new Error(
      `${field} needs either approved (null or an empty string if nothing is approved yet) or approvedFrom.`,
    );
  if (approvedFrom !== undefined) {
    if (typeof approvedFrom !== "string" || approvedFrom === "")
      throw new Error(`${field}.approvedFrom must be the name of a configuration key.`);
    const value = new pulumi.Config().get(approvedFrom)?.trim();
    return {
      approved: validApproval(`${field}.approvedFrom (${approvedFrom})`, value || null),
      toApprove: (artifact) => `run \`pulumi config set ${shellOperands(approvedFrom, artifact)}\``,
    };
  }
  return {
    approved: validApproval(`${field}.approved`, approved),
    toApprove: (artifact) => `set gate.approved to "${artifact}"`,
  };
}

function validApproval(field: string, approved: unknown): string | null {
  if (approved === null || approved === "") return null;
  if (typeof approved === "string" && /^[^\s]{7,}$/.test(approved)) return approved;
  throw new Error(
    `${field} must be a commit (at least its first seven digits), an image with its digest, or null or an empty string if nothing is approved yet.`,
  );
}

/** State of an environment with a gate. */
export interface GateState {
  environment: string;
  before: string;
  gate: Gate;
  serves?: Promoted;
  /** Next artifact, which is verified or still has to be. */
  next?: { artifact: string; isVerified: boolean };
}

/** Returns a message about the artifact that waits at the gate; `undefined` if there is none. */
export function describeGate({ environment, before, gate, serves, next }: GateState): string | undefined {
  const current = serves
    ? `${environment} stays at ${abbreviate(serves.artifact)}`
    : `${environment} does not exist yet`;
  if (!next) return `${current}; the next source that ${before} verifies requires approval.`;
  const { artifact, isVerified } = next;
  if (artifact === serves?.artifact || isApproved(gate.approved, artifact)) return undefined;
  const pending = isVerified
    ? `is verified in ${before} and is waiting for approval`
    : `will wait for approval once ${before} has verified it`;
  return `${current}; ${abbreviate(artifact)} ${pending}: ${gate.toApprove(artifact)}.`;
}

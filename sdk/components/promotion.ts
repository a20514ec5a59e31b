import * as pulumi from "@pulumi/pulumi";
import { abbreviate, isApproved, isImmutable } from "../../provider/promotion/artifact";

/** Source that one environment serves and the next one gets. */
export interface Promoted {
  /** Commit, or image with its digest. */
  artifact: string;
  graphConfigPath?: string;
}

/** Facts that determine the next source of an environment. */
export interface Promotion {
  environment: string;
  /** Name of the previous environment. */
  before: string;
  /** Approval of its gate; null if nothing is approved, undefined without a gate. */
  approved?: string | null;
  /** Source that the previous environment has settled and verified. */
  verified?: Promoted;
  /** Source that this environment currently serves; omitted if the environment does not exist yet. */
  serves?: Promoted;
}

/**
 * Returns the source that the environment gets: the one verified before it if it passes the gate, otherwise the one
 * that it already serves.
 * @throws RunError if the verified source is not immutable, or if there is no source for a new environment
 */
export function nextSource({ environment, before, approved, verified, serves }: Promotion): Promoted {
  const passes =
    verified !== undefined && (approved === undefined || isApproved(approved, verified.artifact));
  if (passes) return requireImmutable(before, verified);
  if (serves) return serves;
  const reason =
    verified === undefined
      ? `${before} is not serving a verified source`
      : `${approved} is approved, but ${before} has verified ${abbreviate(verified.artifact)}`;
  throw new pulumi.RunError(
    `Environment "${environment}" cannot be created: ${reason}. Run \`pulumi up\` again when ${before} has verified ${approved ?? "its source"}.`,
  );
}

function requireImmutable(before: string, promoted: Promoted): Promoted {
  if (isImmutable(promoted.artifact)) return promoted;
  throw new pulumi.RunError(
    `Environment "${before}" is serving ${promoted.artifact}, which may have moved since, so it cannot be promoted. Set sourceRevisionConfig to a full commit ID or to an image with its digest.`,
  );
}

import * as pulumi from "@pulumi/pulumi";
import type { Deployment } from "../deployment";
import type { ServingRevision, SettledRevision } from "../deployment-outputs";
import { getDeployment } from "../functions/get-deployment";

/** The field of `sourceRevisionConfig` that says what runs: it alone is promoted. */
export type PromotedField = "repoRef" | "imageUri";

/** An environment that is promoted to, and the one before it. */
export interface Promotion {
  /** For errors: the component as it is called. */
  component: string;
  field: PromotedField;
  /** Name of the environment. */
  environment: string;
  /** Name of its deployment. */
  deploymentName: pulumi.Input<string>;
  before: { environment: string; deployment: Deployment };
  /** Where lines in the log belong. */
  resource: pulumi.Resource;
}

/** What the environment before serves, once that has settled and was verified. */
export function verifiedBefore({ component, field, before }: Promotion): pulumi.Output<string> {
  const { environment, deployment } = before;
  return pulumi
    .all([deployment.serving, deployment.settledRevision])
    .apply(([serving, settled]) => verifiedIn(serving, settled, { component, field, environment }));
}

function verifiedIn(
  serving: ServingRevision | undefined,
  settled: SettledRevision | undefined,
  { component, field, environment }: { component: string; field: PromotedField; environment: string },
): string {
  const served = serving?.sourceRevisionConfig[field];
  const fail = (text: string): never => {
    throw new pulumi.RunError(`${component}: ${text}`);
  };
  if (!serving || !served)
    return fail(`${environment} serves no revision whose ${field} is known, so there is nothing to promote.`);
  if (settled && settled.id === serving.revisionId && settled.status !== "DEPLOYED")
    return fail(
      `${environment} serves revision ${serving.revisionId}, which is ${settled.status}, so it is not promoted.`,
    );
  if (field === "repoRef" && !staysPut(served))
    return fail(
      `${environment} serves "${served}", which is a branch, and the control plane does not report its commit: what the next environment builds could be something else. Give a commit or a tag as sourceRevisionConfig.repoRef.`,
    );
  return served;
}

/** A commit in full, or what looks like the name of a tag. */
function staysPut(ref: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(ref) || /^(refs\/tags\/.+|v?\d+(\.\d+)+.*)$/.test(ref);
}

/**
 * What is approved, once it is known to be fit: the environment before serves it, or it runs here already. In a preview it
 * is known at once, so that the preview shows the change, and what does not fit is an error all the same.
 */
export function approvedFor(promotion: Promotion, approved: pulumi.Input<string>): pulumi.Output<string> {
  const verified = verifiedBefore(promotion);
  const judged = pulumi
    .all([verified, approved, promotion.deploymentName])
    .apply(async ([candidate, wanted, name]) => {
      if (wanted === candidate) return wanted;
      if (wanted !== (await runningIn(name, promotion.field))) refuse(promotion, wanted, candidate);
      await pulumi.log.info(waiting(promotion, wanted, candidate), promotion.resource);
      return wanted;
    });
  if (!pulumi.runtime.isDryRun()) return judged;
  // What a preview does not know yet is said, too: nobody should think that the gate is open.
  void pulumi
    .all([pulumi.output(approved), pulumi.output(isKnown(verified))])
    .apply(([wanted, known]) =>
      known ? undefined : pulumi.log.info(unknownYet(promotion, wanted), promotion.resource),
    );
  return pulumi.output(approved);
}

function refuse({ component, environment, before }: Promotion, wanted: string, candidate: string): never {
  throw new pulumi.RunError(
    `${component}: ${environment} is to run ${short(wanted)}, and ${before.environment} has verified ${short(candidate)}. Set \`approved\` to what ${before.environment} serves, ${candidate}; to go back to something older, set \`allowUnverified: true\`, too.`,
  );
}

function waiting({ environment, before }: Promotion, wanted: string, candidate: string): string {
  return `${environment} stays at ${short(wanted)}; ${short(candidate)} is verified in ${before.environment} and waits for approval: set \`approved\` to ${candidate}.`;
}

function unknownYet({ environment, before }: Promotion, wanted: string): string {
  return `${environment} runs ${short(wanted)}, as approved; what ${before.environment} verifies in this update waits for approval.`;
}

/** What the control plane has for that environment by now; nothing where there is no such deployment. */
async function runningIn(name: string, field: PromotedField): Promise<string | undefined> {
  try {
    return (await getDeployment({ name }))[field];
  } catch (error) {
    if ((error as { code?: unknown }).code === "deployment_gone") return undefined;
    throw error;
  }
}

/** Whether a value is known in this preview. */
function isKnown(output: pulumi.Output<unknown>): Promise<boolean> {
  return (output as unknown as { isKnown: Promise<boolean> }).isKnown;
}

/** The beginning of a commit; the name of a tag or of an image as it is. */
function short(source: string): string {
  return /^[0-9a-f]{40,64}$/i.test(source) ? source.slice(0, 7) : source;
}

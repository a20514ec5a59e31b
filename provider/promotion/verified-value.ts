import { z } from "zod";
import { type VerifiedArtifacts, verifiedArtifacts } from "../deployment/state";
import { isGroup } from "../resource/inputs/values";

/** Field names in a `verified` output, keyed by the same names in lowercase without separators. */
const fieldNames = new Map(
  [
    "current",
    "history",
    "source",
    "artifact",
    "graphConfigPath",
    "revisionId",
    "verifiedAt",
    "verification",
    "ok",
    "graph",
    "run",
    "evaluation",
  ].map((name) => [name.toLowerCase(), name]),
);

/**
 * Schema of a deployment's `verified` output. Stacks in other languages may export the output with names such as
 * `verified_at`. A missing value means that there are no verified artifacts.
 */
export const verifiedValue = z.unknown().superRefine((value, context) => {
  if (!parse(value))
    context.addIssue({ code: "custom", message: "must be the `verified` output of a deployment" });
});

/** Returns the verified artifacts in a `verified` output that has been validated. */
export function readVerified(value: unknown): VerifiedArtifacts {
  return parse(value)!;
}

function parse(value: unknown): VerifiedArtifacts | undefined {
  if (value === undefined || value === null) return { history: [] };
  const verified = verifiedArtifacts.safeParse(withFieldNames(value)).data;
  if (!verified) return undefined;
  const { current, history } = verified;
  const isListed = !current || history.some(({ revisionId }) => revisionId === current.revisionId);
  const all = isListed ? history : [current, ...history];
  const areValid = [...all, ...(current ? [current] : [])].every(
    ({ verifiedAt }) => !Number.isNaN(Date.parse(verifiedAt)),
  );
  return areValid ? { ...verified, history: all } : undefined;
}

function withFieldNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFieldNames);
  if (!isGroup(value)) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(
    entries.map(([name, one]) => [
      fieldNames.get(name.replaceAll("_", "").toLowerCase()) ?? name,
      withFieldNames(one),
    ]),
  );
}

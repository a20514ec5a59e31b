import { z } from "zod";
import { type VerifiedArtifacts, verifiedArtifacts } from "../deployment/state";
import { isGroup } from "../resource/inputs/values";

/** Names of the fields, keyed by the names in lowercase without separators. */
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
 * `verified` output of a deployment. Stacks in other languages may export it with names such as `verified_at`. A stack
 * without the output has no verified artifacts.
 */
export const verifiedValue = z.unknown().superRefine((value, context) => {
  if (!parse(value))
    context.addIssue({ code: "custom", message: "must be the `verified` output of a deployment" });
});

/** Returns the verified artifacts in a valid value. */
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

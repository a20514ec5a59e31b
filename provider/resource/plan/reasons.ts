/**
 * Codes of reasons about fields. A code is the effect of the change, or `along` if the field changes as part of a
 * replacement that other fields cause. Codes with `?` are for fields with unknown values.
 */
export type FieldCode<Effect extends string> = Effect | "along" | `${Effect | "along"}?`;

/** Codes of reasons that are not about fields, common to all kinds. */
export const commonNotes = [
  /** The address of the control plane in the configuration differs from the one in state. */
  "new-address",
  /** The resource was created by the provider plugin, and is now managed by the dynamic provider. */
  "new-provider",
  /** The name, parent, stack, or project of the resource differs from the one in state. */
  "renamed",
] as const;

/** Reason codes that every kind has. A kind may define additional codes, but its set of codes is fixed. */
export type CommonCode = FieldCode<CommonEffect> | "drift" | (typeof commonNotes)[number];

/** A reason for a plan: the cause of the action, or an additional action. */
export interface Reason<Code extends string = string> {
  code: Code;
  /** The fields that the reason is about, if any. */
  changes?: Change[];
}

/**
 * Returns a function that creates reasons about changed fields: one for each specified code that applies, in the order
 * of the codes.
 * @param replaces true if the plan is a replacement; the fields that do not cause it then have the code `along`
 */
export function reasonsAbout<Effect extends string>(
  changes: readonly Change<Effect>[],
  replaces: boolean,
): (...codes: FieldCode<Effect>[]) => Reason<FieldCode<Effect>>[] {
  return (...codes) =>
    codes.flatMap((code) => {
      const found = changes.filter((change) => codeOf(change, replaces) === code);
      return found.length > 0 ? [{ code, changes: found }] : [];
    });
}

function codeOf<Effect extends string>(
  { effect, unknown }: Change<Effect>,
  replaces: boolean,
): FieldCode<Effect> {
  if (effect === "replace" && !unknown) return effect;
  const planned = replaces ? "along" : effect;
  return unknown ? `${planned}?` : planned;
}

/** Effect that a changed field can have in every kind. */
export type CommonEffect =
  /** The resource is deleted and recreated, because the service cannot change the field. */
  | "replace"
  /** The change is sent as an update of the resource. */
  | "patch"
  /** The change is sent as a deletion of data that the resource contains. */
  | "remove"
  /** The change is only stored in state; no request is sent. */
  | "state";

/** One changed field. */
export interface Change<Effect extends string = string> {
  /** Path of the field, for example `sourceRevisionConfig.repoRef`. */
  path: string;
  effect: Effect;
  /** True if the new value is unknown (preview only). */
  unknown?: true;
  /** Old and new values; omitted for secrets and unknown values. */
  values?: { from: unknown; to: unknown };
  /** Description of the change, used instead of values that are not meaningful to users, such as hashes. */
  summary?: ChangeSummary;
}

/** Description of a change: a sentence, or the names of the parts that differ. */
export type ChangeSummary = string | { added: string[]; changed: string[]; removed: string[] };

/**
 * Text for each reason code of a kind. If a reason is about fields, its text is followed by a colon and a list of
 * changes, so the text must not contain a colon. No text may contain a quote or a semicolon.
 */
export type Words<Code extends string> = Readonly<Record<Code, string>>;

/** Reason texts that all kinds share, unless a kind defines its own. */
export const commonWords: Words<CommonCode> = {
  replace: "is replaced",
  "replace?": "may be replaced (value not known yet)",
  along: "changes as part of the replacement",
  "along?": "changes as part of the replacement (value not known yet)",
  patch: "patched",
  "patch?": "patched (value not known yet)",
  remove: "deleted from the server",
  "remove?": "may be deleted from the server (value not known yet)",
  state: "stored in state (no request is sent)",
  "state?": "stored in state (no request is sent, value not known yet)",
  drift: "changed outside this program",
  "new-address": "stores the control plane's new address",
  "new-provider": "adds the dynamic provider to the state",
  renamed: "was renamed, so its ownership tag is updated",
};

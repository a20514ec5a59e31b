/**
 * Codes of reasons about fields: their effect, or that they change along with a replacement that others require. A code
 * with `?` is about unknown values.
 */
export type FieldCode<Effect extends string> = Effect | "along" | `${Effect | "along"}?`;

/** Codes of reasons that are not about fields, in every kind. */
export const commonNotes = [
  /** The address of the control plane in the configuration differs from the one in state. */
  "new-address",
  /** The provider plugin has created the resource, and the dynamic provider now manages it. */
  "new-provider",
  /** The name, parent, stack, or project of the resource differs from the one in state. */
  "renamed",
] as const;

/** Codes that every kind has. A kind may add its own; the codes of one kind are a closed set. */
export type CommonCode = FieldCode<CommonEffect> | "drift" | (typeof commonNotes)[number];

/** A reason of a plan: the cause of its action, or an additional action. */
export interface Reason<Code extends string = string> {
  code: Code;
  /** The fields that the reason is about, if any. */
  changes?: Change[];
}

/**
 * Creates reasons about changed fields, one for each code that applies, in the order of the codes.
 * @param replaces true if the plan is a replacement: all fields that do not require it change along with it
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

/** Effect that a changed field may have in every kind. */
export type CommonEffect =
  /** The service cannot change the field, so the resource is deleted and recreated. */
  | "replace"
  /** Sent as a change to the resource. */
  | "patch"
  /** Sent as a deletion of data that the resource contains. */
  | "remove"
  /** Stored only in state; no request is sent. */
  | "state";

/** One changed field. */
export interface Change<Effect extends string = string> {
  /** For example `sourceRevisionConfig.repoRef`. */
  path: string;
  effect: Effect;
  /** The new value is unknown (preview only). */
  unknown?: true;
  /** Old and new value; omitted for secrets and unknown values. */
  values?: { from: unknown; to: unknown };
  /** Describes the change instead of the values, which are not readable, such as hashes. */
  summary?: ChangeSummary;
}

/** Description of a change: a sentence, or the names of the parts that differ. */
export type ChangeSummary = string | { added: string[]; changed: string[]; removed: string[] };

/**
 * Text for each reason of a kind, by code. If the reason is about fields, a colon and a list of changes follow, so the
 * text contains no colon; no text contains a quote or a semicolon.
 */
export type Words<Code extends string> = Readonly<Record<Code, string>>;

/** Texts of reasons for kinds without separate texts. */
export const commonWords: Words<CommonCode> = {
  replace: "is replaced",
  "replace?": "may be replaced, not known yet",
  along: "changes along with it",
  "along?": "changes along with it, value not known yet",
  patch: "patched",
  "patch?": "patched, value not known yet",
  remove: "deleted from the server",
  "remove?": "may be deleted from the server, value not known yet",
  state: "stored in state, no request is sent",
  "state?": "stored in state, no request is sent, value not known yet",
  drift: "changed outside this program",
  "new-address": "keeps the control plane's new address",
  "new-provider": "adds the dynamic provider to the state",
  renamed: "was renamed, so its ownership tag is updated",
};

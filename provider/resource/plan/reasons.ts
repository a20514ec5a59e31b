/**
 * Codes of reasons about fields: what the fields ask for, or that they change along with a replacement that others ask
 * for. With `?` after it, a code is about values that are not known yet.
 */
export type FieldCode<Effect extends string> = Effect | "along" | `${Effect | "along"}?`;

/** Codes of reasons about no fields, in every kind. */
export const commonNotes = [
  /** The configuration names the control plane by another address than state. */
  "new-address",
  /** The resource has another name, parent, stack or project than in state. */
  "renamed",
] as const;

/** The codes that every kind has. A kind may add its own; the codes of one kind are a closed set. */
export type CommonCode = FieldCode<CommonEffect> | (typeof commonNotes)[number];

/** One reason of a plan: why it does what it does, or what it does besides. */
export interface Reason<Code extends string = string> {
  code: Code;
  /** The fields that it is about, where it is about fields. */
  changes?: Change[];
}

/**
 * Makes reasons about changed fields, one for each code that fits any, in the order of the codes.
 * @param replaces whether the plan is a replacement: all that does not ask for it changes along with it
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

/** What a changed field may ask for in every kind. */
export type CommonEffect =
  /** The service cannot change it: the resource is deleted and created again. */
  | "replace"
  /** Sent as a change of the resource. */
  | "patch"
  /** Sent as a deletion of data that the resource contains. */
  | "remove"
  /** Kept in state only; nothing is sent. */
  | "state";

/** One changed field. */
export interface Change<Effect extends string = string> {
  /** For example `sourceRevisionConfig.repoRef`. */
  path: string;
  effect: Effect;
  /** The new value is not known yet (preview only). */
  unknown?: true;
  /** Old and new value; left out for secrets and unknown values. */
  values?: { from: unknown; to: unknown };
}

/**
 * What each reason of a kind says, by its code. A list of changes follows after a colon where the reason is about fields,
 * so its words have no colon themselves; none have a quote or a semicolon.
 */
export type Words<Code extends string> = Readonly<Record<Code, string>>;

/** What reasons say in a kind that has no words of its own for them. */
export const commonWords: Words<CommonCode> = {
  replace: "is replaced",
  "replace?": "may be replaced, not known yet",
  along: "changes along with it",
  "along?": "changes along with it, value not known yet",
  patch: "patched",
  "patch?": "patched, value not known yet",
  remove: "deleted from the server",
  "remove?": "may be deleted from the server, value not known yet",
  state: "kept in state, nothing is sent",
  "state?": "kept in state, nothing is sent, value not known yet",
  "new-address": "keeps the control plane's new address",
  renamed: "was renamed, so its ownership tag is written again",
};

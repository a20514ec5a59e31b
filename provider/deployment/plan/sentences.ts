import type { Effect } from "./change";

/** What a change asks for; in a replacement all that does not ask for it comes along. */
export type PlannedEffect = Effect | "along";

/** The start of a sentence that lists changes of one kind; the list follows after a colon. */
export interface Heading {
  text: string;
  effect: PlannedEffect;
  unknown: boolean;
}

function headings(
  effect: PlannedEffect,
  text: string,
  unknownText = `${text}, value not known yet`,
): Heading[] {
  return [
    { text, effect, unknown: false },
    { text: unknownText, effect, unknown: true },
  ];
}

/** In the order in which they are said. */
export const replacementHeadings: Heading[] = [
  {
    text: "is replaced, deleted first, with its threads, assistants, crons and store",
    effect: "replace",
    unknown: false,
  },
  ...headings("along", "changes along with it"),
];

export const updateHeadings = {
  mayReplace: { text: "may be replaced, not known yet", effect: "replace", unknown: true } as Heading,
  revision: headings("revision", "needs a new revision"),
  patch: headings("patch", "patched without a new revision"),
  confirm: headings("confirm", "must be what the server chose, for it cannot be changed in place"),
  state: headings("state", "kept in state, nothing is sent"),
};

/** Sentences that stand for themselves. */
export const sentences = {
  afterFailure: "needs a new revision: the last rollout failed",
  resumesWait: "goes on waiting for the rollout that had not settled",
  secretsLater: "changed secrets take effect at the next revision",
  /** The host's own: the address in state follows the configuration. */
  newAddress: "keeps the control plane's new address",
} as const;

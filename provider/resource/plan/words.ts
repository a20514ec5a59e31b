import type { CommonCode } from "./reasons";

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
  state: "kept in state, nothing is sent",
  "state?": "kept in state, nothing is sent, value not known yet",
  "new-address": "keeps the control plane's new address",
};

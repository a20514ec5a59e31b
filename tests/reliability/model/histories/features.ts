/** Promises that the provider does not keep yet, and what it does instead. */
const excluded = {
  "mask-like values": "values that look like a mask are taken for masked ones",
  "other masks": "a masked ownership tag that is not asterisks is taken for another owner's",
  "secrets become managed": "other secrets stay until another change sends the environment",
  "removal after a foreign change": "an entry that others changed and the program then removed stays",
  "own first step": "the first revision of an update in two steps is reported as someone else's",
} as const;

export type Feature = keyof typeof excluded;

const included = (process.env["AGENTSERVER_FEATURES"] ?? "").split(",");

/** True if the provider keeps a promise; `AGENTSERVER_FEATURES` lists those to test all the same. */
export function isKept(feature: Feature): boolean {
  return !(feature in excluded) || included.includes(feature) || included.includes("all");
}

/** Returns the values if the provider keeps a promise. */
export function when<Value>(feature: Feature, ...values: Value[]): Value[] {
  return isKept(feature) ? values : [];
}

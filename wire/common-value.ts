/**
 * True for values of variables that occur in many unrelated texts and are too easy to guess to be secrets: booleans, and
 * numbers with at most three digits. To redact them would hide line numbers and addresses in logs.
 */
export function isCommonValue(value: string): boolean {
  return /^\s*(?:\d{1,3}|true|false|yes|no|on|off)?\s*$/i.test(value);
}

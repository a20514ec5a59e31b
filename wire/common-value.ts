/**
 * True for a value that is too common and too easy to guess to be a secret: an empty string, a word such as `true` or
 * `off`, or a number with at most three digits. Redacting such values would hide line numbers and addresses in logs.
 */
export function isCommonValue(value: string): boolean {
  return /^\s*(?:\d{1,3}|true|false|yes|no|on|off)?\s*$/i.test(value);
}

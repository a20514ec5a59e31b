import { secretAmong } from "../resource/call";
import { type AnyKind, inputsOf } from "../resource/kind";
import { textsAt, type Props } from "../resource/inputs/values";
import { plainText } from "../text/plain-text";
import { redactor } from "../text/redact";
import type { Decoded } from "./decoded";
import type { Endpoint } from "./endpoint";

/**
 * Returns a function that redacts all secrets in these properties and in the connection, and removes terminal escape
 * sequences.
 */
export function redactorFor(
  place: Endpoint,
  kind: AnyKind,
  ...all: readonly Decoded[]
): (text: string) => string {
  let redact: ((text: string) => string) | undefined;
  // Most operations write no text, so the secrets are collected only when they are needed.
  return (text) => (redact ??= displayRedactor(secretsIn(place, kind, all)))(text);
}

function secretsIn(place: Endpoint, kind: AnyKind, all: readonly Decoded[]): string[] {
  const secrets = all.flatMap(({ values, secretPaths }) => [
    ...(kind.secretMaps ?? []).flatMap((name) => Object.values((values[name] ?? {}) as Props)),
    ...secretPaths.flatMap((path) => textsAt(values, path)),
    ...(kind.secretTexts?.(inputsOf(kind, values), secretAmong(secretPaths)) ?? []),
  ]);
  const texts = secrets.filter((secret): secret is string => typeof secret === "string");
  return [...texts, ...place.secrets(all.map(({ values }) => values))];
}

/** Returns a function that redacts these secrets and removes terminal escape sequences. */
export function displayRedactor(secrets: readonly string[]): (text: string) => string {
  const redact = redactor(secrets);
  // The second pass finds secrets that were interrupted by terminal escape sequences.
  return (text) => redact(plainText(redact(text)));
}

import type { z } from "zod";
import { isCommit } from "../../../wire";
import { withoutCredentials } from "../../text/address-credentials";
import { isSameJson } from "../inputs/json";
import { isGroup } from "../inputs/values";

/**
 * Returns a schema for a string that is displayed exactly as it is sent. Zero-width joiners are allowed, because emoji
 * and some scripts require them.
 */
export function withoutHiddenCharacters(text: z.ZodString): z.ZodString {
  return text
    .regex(/^\P{Cs}*$/u, "must not contain an unpaired surrogate (an incomplete character)")
    .regex(
      /^[^\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]*$/,
      "must not contain invisible or bidirectional control characters, because the value could be mistaken for another one",
    );
}

/**
 * Formats a value as short text. Secrets are removed before the text is shortened, so that no part of a secret remains.
 */
export function shortText(value: unknown, redact: (text: string) => string): string {
  if (value === undefined || value === null) return "none";
  const text = redact(typeof value === "string" ? withoutCredentials(value) : JSON.stringify(value));
  if (isCommit(text)) return text.slice(0, 10);
  // The cut may split a character.
  return text.length > 80 ? `${text.slice(0, 77).replace(/\p{Cs}$/u, "\ufffd")}…` : text;
}

/**
 * Formats a value before and after a change as short texts. Distinguishes `null` from a missing value only if this is the
 * entire change.
 */
export function shortTexts(
  { from, to }: { from: unknown; to: unknown },
  redact: (text: string) => string,
): { from: string; to: string } {
  const areEmpty = (from ?? to ?? undefined) === undefined;
  const shown = (value: unknown) => (areEmpty && value === null ? "null" : shortText(value, redact));
  return { from: shown(from), to: shown(to) };
}

/** A part of a value before and after a change. */
interface ChangedPart {
  path: string;
  from: unknown;
  to: unknown;
}

/**
 * Returns the parts of two JSON values that differ, by path, or the whole values if there are no such parts. A list is
 * one part unless it consists of objects.
 */
export function differingParts(path: string, { from, to }: { from: unknown; to: unknown }): ChangedPart[] {
  const parts = differences(path, from, to);
  return parts.length > 0 ? parts : [{ path, from, to }];
}

function differences(path: string, from: unknown, to: unknown): ChangedPart[] {
  if (isGroup(from) && isGroup(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return keys.flatMap((key) => differences(`${path}.${key}`, from[key], to[key]));
  }
  if (isListOfGroups(from) && isListOfGroups(to) && from.length === to.length)
    return from.flatMap((item, index) => differences(`${path}[${index}]`, item, to[index]));
  return isSameJson(from, to) ? [] : [{ path, from, to }];
}

function isListOfGroups(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every(isGroup);
}

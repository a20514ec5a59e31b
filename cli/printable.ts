import { unfitCharacters } from "../provider/text/plain-text";

/** Pattern for escape sequences that only set colors and styles, and are therefore harmless. */
const style = /\u001b\[[\d;:]*m/g;

/**
 * Makes untrusted text safe for a terminal: control characters are displayed as `\x1b`, and colors are removed. Tabs
 * and line breaks are kept.
 */
export function printable(text: string): string {
  return text.replace(style, "").replace(unfitCharacters, (character) => {
    const code = codeOf(character);
    return code.startsWith("00") ? `\\x${code.slice(2)}` : `\\u${code}`;
  });
}

/** Makes JSON safe for a terminal without changing its value. */
export function printableJson(json: string): string {
  return json.replace(unfitCharacters, (character) => `\\u${codeOf(character)}`);
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}

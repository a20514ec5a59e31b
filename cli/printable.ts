import { unfitCharacters } from "../provider/text/plain-text";

/** Colours and the like: harmless, and no loss. */
const style = /\u001b\[[\d;:]*m/g;

/**
 * A foreign text that cannot drive a terminal, with nothing hidden: escapes are shown as `\x1b`; only colours are left
 * out. Tabs and line breaks stay.
 */
export function printable(text: string): string {
  return text.replace(style, "").replace(unfitCharacters, (character) => {
    const code = codeOf(character);
    return code.startsWith("00") ? `\\x${code.slice(2)}` : `\\u${code}`;
  });
}

/** The same JSON, in a form that cannot drive a terminal. */
export function printableJson(json: string): string {
  return json.replace(unfitCharacters, (character) => `\\u${codeOf(character)}`);
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}

/** Control characters, among them the start of every terminal escape, and marks that turn the direction of text. */
const unprintable =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/g;

/** Colours and the like: harmless, and no loss. */
const style = /\u001b\[[\d;:]*m/g;

/** A foreign text that cannot drive a terminal: escapes are shown as `\x1b`, colours left out; tabs and line breaks stay. */
export function printable(text: string): string {
  return text.replace(style, "").replace(unprintable, (character) => {
    const code = codeOf(character);
    return code.startsWith("00") ? `\\x${code.slice(2)}` : `\\u${code}`;
  });
}

/** The same JSON, in a form that cannot drive a terminal. */
export function printableJson(json: string): string {
  return json.replace(unprintable, (character) => `\\u${codeOf(character)}`);
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}

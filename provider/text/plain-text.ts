/** Terminal commands, for example those that set colors, move the cursor, or set the window title. */
const terminalCommands =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\n\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g;

/**
 * Control characters, characters that change the direction of text, and invisible separators, but not tabs and line
 * breaks.
 */
export const unfitCharacters = /[^\P{Cc}\n\t]|[\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Cs}/gu;

/**
 * Returns a string that is safe to display in a terminal. Characters that would control the terminal, or make it
 * display different text, are removed or replaced.
 */
export function plainText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(terminalCommands, "").replace(unfitCharacters, "\ufffd");
}

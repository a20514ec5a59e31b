/** Quotes a string as one word of a POSIX shell command. Strings without special characters are returned unchanged. */
export function shellWord(text: string): string {
  return /^[\w@+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Quotes strings as the last words of a command, so that none of them is interpreted as an option. */
export function shellOperands(...texts: string[]): string {
  const end = texts.some((text) => text.startsWith("-")) ? ["--"] : [];
  return [...end, ...texts.map(shellWord)].join(" ");
}

/** True if every shell interprets the string as one word without quotes, and no command interprets it as an option. */
export function isPlainWord(text: string): boolean {
  return /^\w[\w.-]*$/.test(text);
}

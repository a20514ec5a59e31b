/** Quotes a string as one word of a POSIX shell command. Strings without special characters are not changed. */
export function shellWord(text: string): string {
  return /^[\w@+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Quotes strings as the last words of a command, so that none of them is treated as an option. */
export function shellOperands(...texts: string[]): string {
  const end = texts.some((text) => text.startsWith("-")) ? ["--"] : [];
  return [...end, ...texts.map(shellWord)].join(" ");
}

/** True if every shell treats the string as one word without quotes, and no command treats it as an option. */
export function isPlainWord(text: string): boolean {
  return /^\w[\w.-]*$/.test(text);
}

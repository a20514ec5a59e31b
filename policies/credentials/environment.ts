const tellingWords = new Set([
  "KEY",
  "APIKEY",
  "TOKEN",
  "SECRET",
  "PASSWORD",
  "PASSWD",
  "PASSPHRASE",
  "CREDENTIAL",
  "CREDENTIALS",
]);

/** Whether an environment variable holds a credential by its name: `MODEL_API_KEY` does, `MAX_TOKENS` does not. */
export function isCredentialName(name: string): boolean {
  return name.split(/[^A-Za-z]+/).some((word) => tellingWords.has(word.toUpperCase()));
}

/** Whether a value is only a reference to another variable, such as `$(NAME)` or `${NAME}`. */
export function isReference(value: string): boolean {
  return /^\$[({][^(){}]+[)}]$/.test(value);
}

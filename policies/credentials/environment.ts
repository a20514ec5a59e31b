const credentialWords = new Set([
  "KEY",
  "APIKEY",
  "TOKEN",
  "SECRET",
  "PASSWORD",
  "PASSWD",
  "PASSPHRASE",
  "CREDENTIAL",
  "CREDENTIALS",
  "AUTHORIZATION",
  "COOKIE",
  "SIGNATURE",
  "SIG",
]);

/** Last words of names of something about a credential, such as `TOKEN_URL`. */
const aboutCredentials =
  /^(NAME|ID|FILE|PATH|URL|URI|ENDPOINT|ENV|FROM|HEADER|LIMIT|BUDGET|TTL|EXPIRY|PREFIX|TYPE)$/;

/** True if a variable, header, or parameter holds a credential by its name: `MODEL_API_KEY` does, `MAX_TOKENS` does not. */
export function isCredentialName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toUpperCase()
    .split(/[^A-Z]+/)
    .filter((word) => word !== "");
  return words.some((word) => credentialWords.has(word)) && !aboutCredentials.test(words.at(-1)!);
}

/** True if a value cannot be a credential: empty, on or off, a reference such as `$(NAME)` or the name of a variable. */
export function isNoCredential(value: string): boolean {
  return (
    /^(|true|false|on|off|yes|no)$/i.test(value) ||
    /^((Bearer|Basic|Token) +)?\$[({][^(){}]+[)}]$/i.test(value) ||
    (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(value) && isCredentialName(value))
  );
}

/** True if the query of a URL, or of a path at an agent server, has a parameter that holds a credential by its name. */
export function hasCredentialInQuery(text: string): boolean {
  if (!/^[^\s?]*[/:][^\s?]*\?/.test(text) || !URL.canParse(text, "https://agent.invalid")) return false;
  const query = [...new URL(text, "https://agent.invalid").searchParams];
  return query.some(([name, value]) => isCredentialName(name) && !isNoCredential(value));
}

/** Words that identify a name as a credential, at any position in the name. */
const credentialWords = new Set(
  "KEY TOKEN SECRET SECRETS PASSWORD PASSWORDS PASSWD PASSPHRASE PASSCODE CREDENTIAL CREDENTIALS CREDS AUTHORIZATION COOKIE SIGNATURE SIG BEARER JWT".split(
    " ",
  ),
);

/**
 * Pattern for names whose ending indicates a credential: a word such as `PAT`, a pair of words such as `BASIC_AUTH` or
 * `API_KEYS`, or a suffix without a separator, as in `ACCESSTOKEN`.
 */
const credentialEnds =
  /(?:(?:^| )(?:PASS|PAT)|[A-Z]+ PWD|(?:DB|SQL|SMTP|USER|ROOT|ADMIN) ?(?:PASS|PWD)|[A-Z](?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)|(?:API|ACCESS|AUTH|PRIVATE|SECRET|SIGNING|ENCRYPTION|MASTER|SHARED|ACCOUNT|SERVICE) ?KEYS?|(?:API|ACCESS|AUTH|BEARER|REFRESH) ?TOKENS|(?:BASIC|HTTP|PROXY|REDIS|REGISTRY|DOCKER|NPM|SMTP|GIT) AUTH)$/;

/**
 * Pattern for names that end in `KEY` or `TOKEN` but are not credentials, such as `PARTITION_KEY`, `MAX_TOKEN`, and
 * `EOS_TOKEN`.
 */
const dataEnds =
  /(?:^| )(?:(?:PUBLIC|PRIMARY|FOREIGN|SORT|PARTITION|CACHE|ROUTING|IDEMPOTENCY|LOOKUP) KEY|(?:MAX|MIN|NUM|PAD|EOS|BOS|UNK|MASK|SEP|CLS|STOP|START|END|SPECIAL|PAGE|CONTINUATION) TOKEN)$/;

/** Last words of names that describe a credential but do not contain it, such as `TOKEN_URL`. */
const aboutCredentials =
  /^(NAME|ID|FILE|PATH|URL|URI|ENDPOINT|ENV|FROM|HEADER|LIMIT|BUDGET|COUNT|LENGTH|SIZE|TTL|EXPIRY|EXPIRATION|LIFETIME|TIMEOUT|MINUTES|SECONDS|PREFIX|SUFFIX|TYPE|ALGORITHM|FORMAT|ISSUER|AUDIENCE|SCOPE|SCOPES|PROVIDER|ARN|VERSION)$/;

/**
 * True if the name of a variable, header, flag, or parameter indicates a credential: `MODEL_API_KEY` does, `MAX_TOKENS`
 * does not. The README of the package lists the words.
 */
export function isCredentialName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toUpperCase()
    .split(/[^A-Z]+/)
    .filter((word) => word !== "");
  const all = words.join(" ");
  if (dataEnds.test(all) || aboutCredentials.test(words.at(-1) ?? "")) return false;
  return words.some((word) => credentialWords.has(word)) || credentialEnds.test(all);
}

/** True if a string of arguments or shell commands sets a flag or variable that has the name of a credential. */
export function hasCredentialFlag(text: string): boolean {
  const assignments = text.matchAll(/(?<![\w$.-])-{0,2}([A-Za-z_][\w.-]*)=(?:(["'])(.*?)\2|([^\s"';&|]*))/g);
  const flags = text.matchAll(/(?<!\S)--?([A-Za-z][\w.-]*)\s+(?:(["'])(.*?)\2|([^\s"'-][^\s"']*))/g);
  return [...assignments, ...flags].some(
    ([, name = "", , quoted, plain]) => isCredentialName(name) && !isNoCredential(quoted ?? plain ?? ""),
  );
}

/**
 * True if a value cannot be a credential: an empty string, a word such as `on` or `false`, a reference such as
 * `$(NAME)`, or the name of a variable.
 */
export function isNoCredential(value: string): boolean {
  return (
    /^(|true|false|on|off|yes|no)$/i.test(value) ||
    /^((Bearer|Basic|Token) +)?\$([({][^(){}]+[)}]|[a-z_]\w*)$/i.test(value) ||
    (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(value) && isCredentialName(value))
  );
}

/**
 * True if the query of a URL, or of a path on an agent server, contains a parameter that has the name of a credential.
 */
export function hasCredentialInQuery(text: string): boolean {
  if (!/^[^\s?]*[/:][^\s?]*\?/.test(text) || !URL.canParse(text, "https://agent.invalid")) return false;
  const query = [...new URL(text, "https://agent.invalid").searchParams];
  return query.some(([name, value]) => isCredentialName(name) && !isNoCredential(value));
}

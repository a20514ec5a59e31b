import { environmentParts, type WireSecret } from "../../../wire";

/** String that replaces a secret. */
export const mask = "[masked]";

const sensitiveKey = /secret|token|password|passwd|credential|authorization|api[-_]?key|private[-_]?key/i;
/** Matches the user name and password in a URL. The password may contain more `@` characters. */
const userinfo = /:\/\/([^\s/?#]*)@/g;
/** Matches the values of query parameters whose names indicate secrets. */
const queryValue =
  /([?&][^\s=&#]*(?:secret|token|password|passwd|credential|api[-_]?key|private[-_]?key|sig)[^\s=&#]*=)([^\s&#]+)/gi;
/** Matches field names that resemble names of secrets but refer to other values. */
const harmlessKey = /^(token_url|token_endpoint_auth_method|token_id|oauth_token_id)$/;

/**
 * Returns the values in a request body that must be masked: passwords in URLs, all values under a key whose name
 * indicates a secret, and the values of all name-and-value pairs except those that are plain variables.
 *
 * @param known - Additional values to redact, such as API keys.
 * @returns the values, longest first, so that masking one value does not leave part of another.
 */
export function secretValues(body: unknown, known: readonly string[]): string[] {
  const values = new Set(known);
  collect(body, false, values, plainVariables(body));
  return [...new Set([...values].flatMap(formsOf))].sort((one, other) => other.length - one.length);
}

/** Returns a value in all forms in which it may occur: unchanged, and encoded for a URL, in JSON, or in base64. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const base64 = bytes.toString("base64").replace(/=+$/, "");
  // Converted to bytes first, because half of a surrogate pair cannot be encoded.
  return [value, encodeURIComponent(bytes.toString()), JSON.stringify(value).slice(1, -1), base64];
}

/** Returns a copy of a request body with its secrets and all `values` masked. */
export function masked(body: unknown, values: readonly string[]): unknown {
  return cleaned(body, false, values, plainVariables(body));
}

/** Returns `text` with the values masked, and with user names, passwords, and tokens in URLs masked. */
export function maskedText(text: string, values: readonly string[]): string {
  return values
    .reduce((rest, value) => (value ? rest.replaceAll(value, mask) : rest), text)
    .replace(userinfo, `://${mask}@`)
    .replace(queryValue, `$1${mask}`);
}

function collect(part: unknown, sensitive: boolean, values: Set<string>, plain: ReadonlySet<unknown>): void {
  if (Array.isArray(part)) for (const item of part) collect(item, sensitive, values, plain);
  else if (isObject(part))
    for (const [key, value] of Object.entries(part))
      collect(value, !plain.has(part) && sensitiveAt(part, key, sensitive), values, plain);
  else if (typeof part === "string")
    // Short words occur by chance, so replacing them everywhere would make the rest unreadable.
    for (const secret of sensitive ? [part] : passwords(part)) if (secret.length >= 4) values.add(secret);
}

function passwords(text: string): string[] {
  return [
    ...[...text.matchAll(userinfo)].map((match) => match[1]!.split(":").slice(1).join(":")),
    ...[...text.matchAll(queryValue)].map((match) => match[2]!),
  ];
}

function cleaned(
  part: unknown,
  sensitive: boolean,
  values: readonly string[],
  plain: ReadonlySet<unknown>,
): unknown {
  if (Array.isArray(part)) return part.map((item) => cleaned(item, sensitive, values, plain));
  if (isObject(part))
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [
        maskedText(key, values),
        cleaned(value, !plain.has(part) && sensitiveAt(part, key, sensitive), values, plain),
      ]),
    );
  if (sensitive && part !== null && part !== undefined) return mask;
  return typeof part === "string" ? maskedText(part, values) : part;
}

/**
 * Returns the entries of `secrets` that the ownership tag of a body marks as plain. A list can contain several bodies.
 */
function plainVariables(body: unknown): ReadonlySet<unknown> {
  const bodies: unknown[] = Array.isArray(body) ? body : [body];
  const environments = bodies.map((one) =>
    isObject(one) && Array.isArray(one["secrets"]) ? one["secrets"].filter(isVariable) : [],
  );
  return new Set(environments.flatMap((environment) => environmentParts(environment).variables));
}

function isVariable(part: unknown): part is WireSecret {
  return isObject(part) && typeof part["name"] === "string" && typeof part["value"] === "string";
}

function sensitiveAt(parent: Record<string, unknown>, key: string, inherited: boolean): boolean {
  const isPair = "name" in parent && "value" in parent;
  if (isPair && key === "value") return true;
  if (isPair && key === "name" && typeof parent["name"] === "string") return false;
  // The parameters that an OAuth provider adds when it redirects a user back are as confidential as the token.
  if (key === "code" && "state" in parent) return true;
  return inherited || (sensitiveKey.test(key) && !harmlessKey.test(key));
}

function isObject(part: unknown): part is Record<string, unknown> {
  return typeof part === "object" && part !== null;
}

/** Matches the keys of JSON objects whose values may grant access. */
const secretKey = /token|password|api[-_]?key|authorization|credential|signature|upload_url|upload_headers/i;

/** Matches the paths of lists that also contain objects that this run did not create. */
const sharedList = /^\/(v2\/(deployments|listeners)|v1\/integrations\/.+)$/;

const removed = "<redacted>";

/** Removes secrets and other users' data from requests and responses for the report. */
export class Redaction {
  private readonly texts = new Map<string, string>();
  private readonly ownIds = new Set<string>();

  /** Replaces a string in all requests and responses that are redacted later. */
  hide(text: string | undefined, replacement = removed): void {
    if (text !== undefined && text !== "") this.texts.set(text, replacement);
  }

  /** Marks an object as created by this run. Other users' objects in shared lists are hidden. */
  own(id: string): void {
    this.ownIds.add(id);
  }

  /** Returns the JSON body of a request or response without secrets. */
  body(body: unknown, path: string): unknown {
    const isShared = sharedList.test(path.split("?")[0]!);
    return this.walk(isShared ? this.withoutOthers(body) : body);
  }

  /** Returns the string without secrets. */
  text(text: string): string {
    let redacted = text.replace(/(https?:\/\/)[^\s/@"]+@/g, `$1${removed}@`);
    redacted = redacted.replace(/(https?:\/\/[^\s"?]+)\?[^\s"]+/g, `$1?${removed}`);
    for (const [secret, replacement] of this.texts) redacted = redacted.replaceAll(secret, replacement);
    return redacted;
  }

  private withoutOthers(body: unknown): unknown {
    const rows = (list: unknown[]) =>
      list.map((row) => {
        const { id } = (row ?? {}) as { id?: unknown };
        return typeof id === "string" && this.ownIds.has(id) ? row : "<not created by this run>";
      });
    if (Array.isArray(body)) return rows(body);
    if (typeof body !== "object" || body === null) return body;
    return Object.fromEntries(
      Object.entries(body).map(([key, value]) => [
        key,
        Array.isArray(value) ? rows(value) : (value as unknown),
      ]),
    );
  }

  private walk(value: unknown, key = ""): unknown {
    if (typeof value === "string") return secretKey.test(key) ? removed : this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.walk(one, key));
    if (typeof value !== "object" || value === null) return value;
    if (secretKey.test(key)) return removed;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        key === "secrets" && name === "value" ? removed : this.walk(one, name),
      ]),
    );
  }
}

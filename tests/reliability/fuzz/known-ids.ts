import { fc } from "../../properties";

/** Number of latest IDs to keep for each kind. */
const kept = 6;

/**
 * IDs of existing objects, taken from responses. Requests refer to them with placeholders, which are replaced when the
 * requests are sent.
 */
export class KnownIds {
  private readonly ids = new Map<string, string[]>();

  add(kind: string, id: string): void {
    const others = (this.ids.get(kind) ?? []).filter((one) => one !== id);
    this.ids.set(kind, [id, ...others].slice(0, kept));
  }

  clear(): void {
    this.ids.clear();
  }

  /** Adds all IDs in a JSON value, using the name of the field as their kind. */
  learn(value: unknown, kinds: ReadonlySet<string>): void {
    if (Array.isArray(value)) for (const one of value.slice(0, kept)) this.learn(one, kinds);
    else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value)) {
        if (kinds.has(name) && typeof one === "string" && one !== "") this.add(name, one);
        else this.learn(one, kinds);
      }
  }

  /** Replaces the placeholders in a string with IDs. */
  fill(text: string): string {
    return text.replaceAll(/<<(\w+) #(\d+)>>/g, (_, kind: string, index: string) => {
      const ids = this.ids.get(kind) ?? [];
      return ids[Number(index) % Math.max(1, ids.length)] ?? "00000000-0000-4000-8000-000000000000";
    });
  }
}

/** Returns placeholders for IDs of this kind. The newest ID occurs most often. */
export const known = (kind: string): fc.Arbitrary<string> =>
  fc.oneof(fc.constant(0), fc.nat(kept)).map((index) => `<<${kind} #${index}>>`);

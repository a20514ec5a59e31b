import { fc } from "../../properties";

/** How many of the latest IDs of a kind are kept. */
const kept = 6;

/** IDs of what is there, taken from answers: requests name them by a word that is filled in when they are sent. */
export class KnownIds {
  private readonly ids = new Map<string, string[]>();

  add(kind: string, id: string): void {
    const others = (this.ids.get(kind) ?? []).filter((one) => one !== id);
    this.ids.set(kind, [id, ...others].slice(0, kept));
  }

  clear(): void {
    this.ids.clear();
  }

  /** Adds every ID in a JSON value by the name of the field that holds it. */
  learn(value: unknown, kinds: ReadonlySet<string>): void {
    if (Array.isArray(value)) for (const one of value.slice(0, kept)) this.learn(one, kinds);
    else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value)) {
        if (kinds.has(name) && typeof one === "string" && one !== "") this.add(name, one);
        else this.learn(one, kinds);
      }
  }

  /** The text with IDs in place of the words that stand for them. */
  fill(text: string): string {
    return text.replaceAll(/<<(\w+) #(\d+)>>/g, (_, kind: string, index: string) => {
      const ids = this.ids.get(kind) ?? [];
      return ids[Number(index) % Math.max(1, ids.length)] ?? "00000000-0000-4000-8000-000000000000";
    });
  }
}

/** Words for an ID of this kind, the newest one most often. */
export const known = (kind: string): fc.Arbitrary<string> =>
  fc.oneof(fc.constant(0), fc.nat(kept)).map((index) => `<<${kind} #${index}>>`);

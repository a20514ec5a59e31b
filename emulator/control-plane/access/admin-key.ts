import { timingSafeEqual } from "node:crypto";
import { Refusal, refuse } from "../refusal";
import type { Organizations } from "./organizations";

/** Access to the admin API with its own key or, if it does not have one, with the keys of the first organization. */
export class AdminAccess {
  /** @param adminKey - Key of the admin API. If `undefined`, the keys of the first organization are used. */
  constructor(
    private readonly organizations: Organizations,
    private readonly adminKey: string | undefined,
  ) {
    if (adminKey === "") throw new Error("`adminKey` is empty. Set a key, or omit the option.");
    if (adminKey !== undefined && organizations.byKey(adminKey))
      throw new Error("`adminKey` is also an organization's API key; use a different one.");
  }

  /** True if the admin API has a separate key. */
  get hasOwnKey(): boolean {
    return this.adminKey !== undefined;
  }

  /**
   * Returns the separate key of the admin API, if it has one, so that the key can be redacted in logs and responses.
   */
  keys(): string[] {
    return this.adminKey === undefined ? [] : [this.adminKey];
  }

  allows(key: string | undefined): boolean {
    return key !== undefined && this.#refusalOf(key) === undefined;
  }

  /** Rejects requests without a valid key for the admin API. */
  require(key: string | undefined): void {
    const refusal = key ? this.#refusalOf(key) : refuse.noKey();
    if (refusal) throw refusal;
  }

  #refusalOf(key: string): Refusal | undefined {
    if (this.adminKey !== undefined && same(key, this.adminKey)) return undefined;
    const organization = this.organizations.byKey(key);
    if (!organization) return refuse.badKey();
    if (this.adminKey !== undefined)
      return new Refusal(403, "The admin API has a separate key: send the admin key in X-Api-Key.");
    if (organization === this.organizations.all[0]) return undefined;
    return new Refusal(403, "The admin API accepts only API keys of the first organization.");
  }
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

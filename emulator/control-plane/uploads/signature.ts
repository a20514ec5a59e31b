import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Store } from "../store/store";

/** Name of the setting that stores the key. */
const setting = "upload_key";

/** Signs the paths of uploads together with an expiry time. The key is created once and stored in the state. */
export class Signatures {
  constructor(private readonly store: Pick<Store, "setting" | "keepSetting">) {}

  /** @param expires - Expiry time in milliseconds since 1970. */
  sign(path: string, expires: number): string {
    return createHmac("sha256", this.#key()).update(`${path}\n${expires}`).digest("base64url");
  }

  isValid(path: string, expires: number, signature: string): boolean {
    const [right, given] = [Buffer.from(this.sign(path, expires)), Buffer.from(signature)];
    return right.length === given.length && timingSafeEqual(right, given);
  }

  #key(): string {
    const kept = this.store.setting(setting);
    if (kept !== undefined) return kept;
    const made = randomBytes(32).toString("base64url");
    this.store.keepSetting(setting, made);
    return made;
  }
}

import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../clock";

/** What opens the control plane to the page. */
export interface PageSession {
  apiKey: string;
  tenantId: string;
  /** Where the admin API has a key of its own. */
  adminKey?: string;
}

/** How long a code may be used, in milliseconds. */
const lifeMs = 10 * 60_000;
/** More codes than this are not kept: the oldest one goes. */
const mostCodes = 100;

/**
 * Codes that open the page once, so that a link can be printed that holds no key. They live in memory: a code is of no
 * use after a restart.
 */
export class SignInCodes {
  private readonly waiting = new Map<string, { session: PageSession; until: number }>();

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** A new code for this session. */
  make(session: PageSession): string {
    const code = randomBytes(24).toString("base64url");
    this.waiting.set(digest(code), { session, until: this.clock.now() + lifeMs });
    const [oldest] = this.waiting.keys();
    if (this.waiting.size > mostCodes && oldest !== undefined) this.waiting.delete(oldest);
    return code;
  }

  /** The session that a code stands for; nothing for one that is unknown, was used, or is too old. */
  take(code: string): PageSession | undefined {
    const key = digest(code);
    const found = this.waiting.get(key);
    this.waiting.delete(key);
    return found && this.clock.now() < found.until ? found.session : undefined;
  }
}

/** The page's address with a code in it. The fragment never leaves the browser, so no log holds it. */
export function signInLink(baseUrl: string, code: string): string {
  return `${baseUrl}/#/sign-in/${code}`;
}

/** What is looked up does not depend on how much of a guess is right. */
function digest(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

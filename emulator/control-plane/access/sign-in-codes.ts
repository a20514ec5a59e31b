import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../../clock";

/** Credentials that are returned in exchange for a sign-in code. */
export interface PageSession {
  apiKey: string;
  tenantId: string;
  /** Key of the admin API; present only if the admin API has its own key. */
  adminKey?: string;
}

/** Lifetime of a sign-in code, in milliseconds. */
const lifeMs = 10 * 60_000;
/** Maximum number of codes per organization. An additional code replaces the oldest one. */
const mostCodes = 100;

interface WaitingCode<Session> {
  organization: string;
  session: Session;
  until: number;
}

/**
 * Single-use codes for sign-in links, so that a link that is printed or opened does not contain a key. The codes are
 * kept in memory, so a restart invalidates them.
 */
export class SignInCodes<Session> {
  private readonly waiting = new Map<string, WaitingCode<Session>>();

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** Returns a new code that a member of the organization can exchange for this session. */
  make(organization: string, session: Session): string {
    const code = randomBytes(24).toString("base64url");
    this.waiting.set(digest(code), { organization, session, until: this.clock.now() + lifeMs });
    const ofOrganization = [...this.waiting].filter(([, one]) => one.organization === organization);
    if (ofOrganization.length > mostCodes) this.waiting.delete(ofOrganization[0]![0]);
    return code;
  }

  /** Returns the session for a code, or `undefined` if the code is unknown, used, or expired. */
  take(code: string): Session | undefined {
    const key = digest(code);
    const found = this.waiting.get(key);
    this.waiting.delete(key);
    return found && this.clock.now() < found.until ? found.session : undefined;
  }
}

/**
 * Returns the URL of the web console with a code in the fragment. The fragment never leaves the browser, so the code
 * does not appear in any logs.
 */
export function signInLink(baseUrl: string, code: string): string {
  return `${baseUrl}/#/sign-in/${code}`;
}

/**
 * Returns the digest of a code. Looking up the digest does not reveal, through its timing, which part of a guess is
 * correct.
 */
function digest(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

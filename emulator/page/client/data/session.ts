import type { Session } from "./types";

const key = "agentserver-session";

/** Returns the session of the signed-in user, if any. It is stored only in this tab, until the tab is closed. */
export function readSession(): Session | undefined {
  try {
    const { apiKey, tenantId, adminKey } = JSON.parse(
      sessionStorage.getItem(key) ?? "{}",
    ) as Partial<Session>;
    return apiKey && tenantId ? { apiKey, tenantId, adminKey } : undefined;
  } catch {
    return undefined;
  }
}

export function keepSession(session: Session): void {
  sessionStorage.setItem(key, JSON.stringify(session));
}

export function forgetSession(): void {
  sessionStorage.removeItem(key);
}

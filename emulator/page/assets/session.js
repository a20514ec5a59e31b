const place = "agentserver-session";

/** Returns the session of the signed-in user, if any. It is stored only in this tab, until the tab is closed. */
export function readSession() {
  try {
    const { apiKey, tenantId, adminKey } = JSON.parse(sessionStorage.getItem(place) ?? "{}");
    return apiKey && tenantId ? { apiKey, tenantId, adminKey } : undefined;
  } catch {
    return undefined;
  }
}

export function keepSession(session) {
  sessionStorage.setItem(place, JSON.stringify(session));
}

export function forgetSession() {
  sessionStorage.removeItem(place);
}

const places = ["deployments", "requests", "controls"] as const;

/** View of the page. */
export type Place = (typeof places)[number];

/** Current location within the page. */
export interface Route {
  place: Place;
  deploymentId: string | undefined;
  revisionId: string | undefined;
}

/** Returns the current location within the page, from the fragment of the URL. */
export function readRoute(): Route {
  const [name, deploymentId, revisionId] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  return { place: places.find((one) => one === name) ?? "deployments", deploymentId, revisionId };
}

/**
 * Returns the code if the page was opened with a sign-in link. Removes the code from the URL but keeps the rest,
 * because a link works only once and used codes must not stay in the history.
 */
export function takeCode(): string | undefined {
  const [, code, rest = ""] = /^#\/sign-in\/([\w-]+)(\/.*)?$/.exec(location.hash) ?? [];
  if (code !== undefined) history.replaceState(null, "", rest === "" ? location.pathname : `#${rest}`);
  return code;
}

export function deploymentHref(deploymentId: string, revisionId?: string): string {
  const parts = ["deployments", deploymentId, revisionId].filter((part) => part !== undefined);
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

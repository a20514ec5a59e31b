const places = ["deployments", "playground", "requests", "controls"] as const;

/** View of the web console. */
export type Place = (typeof places)[number];

/** Sections of the playground. */
export const sections = ["chat", "threads", "graph", "assistants", "crons", "store"] as const;

/** Section of the playground. */
export type Section = (typeof sections)[number];

/** Current location within the web console. */
export interface Route {
  place: Place;
  deploymentId: string | undefined;
  revisionId: string | undefined;
  section: Section;
  /** Selected thread or assistant of the playground. */
  item: string | undefined;
  /** Checkpoint of the thread that the next run starts from. */
  checkpointId: string | undefined;
}

/** Returns the current location within the web console, from the fragment of the URL. */
export function readRoute(): Route {
  const [name, deploymentId, ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  const place = places.find((one) => one === name) ?? "deployments";
  const inPlayground = place === "playground";
  return {
    place,
    deploymentId,
    revisionId: inPlayground ? undefined : rest[0],
    section: sections.find((one) => inPlayground && one === rest[0]) ?? "chat",
    item: inPlayground ? rest[1] : undefined,
    checkpointId: inPlayground ? rest[2] : undefined,
  };
}

/**
 * Returns the code of the sign-in link that the web console was opened with, if any. Removes the code from the URL and
 * keeps the rest, because a link works only once and used codes must not stay in the browser history.
 */
export function takeCode(): string | undefined {
  const [, code, rest = ""] = /^#\/sign-in\/([\w-]+)(\/.*)?$/.exec(location.hash) ?? [];
  if (code !== undefined) history.replaceState(null, "", rest === "" ? location.pathname : `#${rest}`);
  return code;
}

export function deploymentHref(deploymentId: string, revisionId?: string): string {
  return href("deployments", deploymentId, revisionId);
}

export function playgroundHref(
  deploymentId: string,
  ...rest: [section?: Section, ...items: string[]]
): string {
  return href("playground", deploymentId, ...rest);
}

function href(...parts: (string | undefined)[]): string {
  return `#/${parts
    .filter((part) => part !== undefined)
    .map(encodeURIComponent)
    .join("/")}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/**
 * Returns the current location within the page, `{ place, deploymentId, revisionId }`, from the fragment of the URL.
 */
export function readRoute() {
  const [place, deploymentId, revisionId] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  return {
    place: ["requests", "controls"].includes(place) ? place : "deployments",
    deploymentId,
    revisionId,
  };
}

/**
 * Returns the code if the page was opened with a sign-in link. Removes the code from the URL but keeps the rest,
 * because a link works only once and used codes must not stay in the history.
 */
export function takeCode() {
  const [, code, rest = ""] = /^#\/sign-in\/([\w-]+)(\/.*)?$/.exec(location.hash) ?? [];
  if (code !== undefined) history.replaceState(null, "", rest === "" ? location.pathname : `#${rest}`);
  return code;
}

export function deploymentHref(deploymentId, revisionId) {
  return `#/${["deployments", deploymentId, revisionId].filter(Boolean).map(encodeURIComponent).join("/")}`;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Returns the current location in the page, `{ place, deploymentId, revisionId }`, from the URL's fragment. */
export function readRoute() {
  const [place, deploymentId, revisionId] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  return {
    place: ["requests", "controls"].includes(place) ? place : "deployments",
    deploymentId,
    revisionId,
  };
}

/**
 * Returns the code if the page was opened with a sign-in link. The code is removed from the address, which otherwise
 * stays: a link works once, and used codes must not be in the history.
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

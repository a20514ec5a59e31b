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
 * The code of a link that signs in, if this is one. It is taken out of the address, where what it leads to stays: a link
 * is good once, and what has been used must not be in the history.
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

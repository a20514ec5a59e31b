/** Where in the page the reader is: `{ place, deploymentId, revisionId }`, as the URL's fragment tells. */
export function readRoute() {
  const [place, deploymentId, revisionId] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  return {
    place: ["requests", "controls"].includes(place) ? place : "deployments",
    deploymentId,
    revisionId,
  };
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

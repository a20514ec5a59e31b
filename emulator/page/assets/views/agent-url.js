import { element, setAttribute, setShown, setText } from "../dom.js";

/**
 * Creates the view of the agent's URL, with a copy button and a link to its documentation on the agent's own origin.
 */
export function agentUrl({ plane, act }) {
  let shown;
  const none = element("span", {}, "none until a revision is deployed");
  const url = element("bdi", { dir: "auto" });
  const docs = element(
    "a",
    {
      target: "_blank",
      rel: "noopener noreferrer",
      class: "link",
      "aria-label": "Documentation of the agent's API",
      onclick: (event) => {
        event.preventDefault();
        void act("The documentation is open in another tab.", async () => {
          const { code } = await plane.agentSignInCode(shown.id);
          window.open(`${ownOrigin(shown.id)}/.agentserver/sign-in#${code}`, "_blank", "noopener,noreferrer");
        });
      },
    },
    "/docs",
  );
  const copy = element(
    "button",
    {
      type: "button",
      class: "small",
      "aria-label": "Copy the agent's URL",
      onclick: () => act("The URL is copied.", () => navigator.clipboard.writeText(shown.url)),
    },
    "Copy",
  );
  const known = element("span", { class: "agent-url" }, url, copy, docs);
  return {
    root: element("div", {}, element("dt", {}, "URL"), element("dd", {}, none, known)),
    update(deployment) {
      shown = deployment;
      setShown(none, !shown.url);
      setShown(known, Boolean(shown.url));
      if (!shown.url) return;
      setText(url, shown.url);
      const origin = ownOrigin(shown.id);
      setShown(docs, origin !== undefined);
      setAttribute(docs, "href", origin && `${origin}/docs`);
    },
  };
}

/**
 * Returns the origin of a deployment, which is a subdomain of this page's host, or `undefined` if the page is served
 * from an IP address of another machine.
 */
function ownOrigin(deploymentId) {
  const { protocol, hostname, port } = location;
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname);
  if (!isLocal && /^\[|^[\d.]+$/.test(hostname)) return undefined;
  return `${protocol}//${deploymentId}.${isLocal ? "localhost" : hostname}${port && `:${port}`}`;
}

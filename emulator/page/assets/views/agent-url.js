import { element, setAttribute, setShown, setText } from "../dom.js";

/** Where the agent answers: a link, its documentation, and a button that copies the address. */
export function agentUrl({ act }) {
  const none = element("span", {}, "none until a revision is deployed");
  const outside = { target: "_blank", rel: "noopener noreferrer", class: "link" };
  const link = element("a", { ...outside, dir: "auto" });
  const docs = element("a", { ...outside, "aria-label": "Documentation of the agent's API" }, "/docs");
  const copy = element(
    "button",
    {
      type: "button",
      class: "small",
      "aria-label": "Copy the agent's URL",
      onclick: () => act("The URL is copied.", () => navigator.clipboard.writeText(link.href)),
    },
    "Copy",
  );
  const known = element("span", { class: "agent-url" }, link, copy, docs);
  return {
    root: element("div", {}, element("dt", {}, "URL"), element("dd", {}, none, known)),
    update({ url }) {
      // A script would be a URL, too.
      const usable = /^https?:\/\//.test(url ?? "");
      setShown(none, !usable);
      setShown(known, usable);
      if (!usable) return;
      setText(link, url);
      setAttribute(link, "href", url);
      setAttribute(docs, "href", `${url.replace(/\/+$/, "")}/docs`);
    },
  };
}

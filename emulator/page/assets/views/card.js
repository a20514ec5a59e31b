import { element } from "../dom.js";

/** Creates a titled box. */
export function card(title, explanation, ...children) {
  return element(
    "section",
    { class: "card", "aria-label": title },
    element("h2", {}, title),
    element("p", { class: "quiet" }, explanation),
    ...children,
  );
}

/** Creates a row of buttons. */
export function buttons(...children) {
  return element("div", { class: "buttons" }, ...children);
}

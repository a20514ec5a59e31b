import { element, setAttribute, setText } from "../dom.js";
import { ended, toneOf } from "../status.js";

/** Creates a status label that is colored by its tone. */
export function statusPill() {
  const root = element("span", { class: "pill" });
  return {
    root,
    update(status) {
      setText(root, status);
      setAttribute(root, "data-tone", toneOf(status));
      setAttribute(root, "data-moving", !ended(status) && status !== "READY");
    },
  };
}

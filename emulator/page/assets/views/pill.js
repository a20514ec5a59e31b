import { element, setAttribute, setText } from "../dom.js";
import { ended, toneOf } from "../status.js";

/** A status, coloured by what it means. */
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

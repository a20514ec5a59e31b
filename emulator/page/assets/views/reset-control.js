import { element } from "../dom.js";
import { buttons, card } from "./card.js";
import { dialog } from "./form.js";

/** Creates the control that resets the control plane. */
export function resetControl({ plane, act }) {
  const question = dialog(
    "Remove everything?",
    {
      submit: "Reset",
      danger: true,
      onsubmit: () => void act("The control plane is empty.", () => plane.admin("POST", "reset")),
    },
    element(
      "p",
      {},
      "All deployments of all workspaces end and are gone, with their data. Nothing brings them back.",
    ),
  );
  return {
    root: card(
      "Reset",
      "Ends and removes all deployments, tokens, faults, steering and the journal. Keys and port stay.",
      buttons(element("button", { type: "button", class: "danger", onclick: question.open }, "Reset…")),
      question.root,
    ),
  };
}

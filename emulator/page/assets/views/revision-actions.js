import { element, setAttribute } from "../dom.js";
import { ended } from "../status.js";

/** Creates the actions on the selected revision that require only the API key, because they use the public API. */
export function revisionActions({ plane, act }) {
  let shown;
  const call = (word) => plane.ofRevision(shown.selected.id, shown.revision.id, word);
  const redeploy = element(
    "button",
    { type: "button", onclick: () => act("A new revision has the same source.", () => call("redeploy")) },
    "Redeploy",
  );
  const interrupt = element(
    "button",
    { type: "button", onclick: () => act("The rollout is interrupted.", () => call("interrupt")) },
    "Interrupt",
  );
  return {
    root: element(
      "div",
      { class: "actions", role: "group", "aria-label": "Actions on the chosen revision" },
      redeploy,
      interrupt,
    ),
    update(seen) {
      shown = seen;
      const { revision } = seen;
      const id = revision?.id.slice(0, 8);
      setAttribute(redeploy, "disabled", !revision);
      setAttribute(redeploy, "title", id && `Create a revision with the source of ${id}`);
      setAttribute(interrupt, "disabled", !revision || ended(revision.status));
      setAttribute(interrupt, "title", id && `End the rollout of ${id}`);
    },
  };
}

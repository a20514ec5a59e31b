import { element, keepInLine, setShown } from "../dom.js";
import { JournalTail } from "../journal-tail.js";
import { adminIsOff } from "./admin-off.js";
import { requestItem } from "./request.js";

/** Creates the view of the journal: the requests that clients sent to the control plane, newest first. */
export function requestsView({ plane, act }) {
  let tail;
  let shownFor;
  const writes = element("input", { type: "checkbox" });
  const path = element("input", {
    type: "search",
    placeholder: "/v2/deployments/:id",
    "aria-label": "Show only requests whose path fits the pattern",
  });
  const items = element("ol", { class: "requests" });
  const nothing = element("p", { class: "empty" }, "No requests.");
  const clear = element(
    "button",
    { type: "button", onclick: () => act("The journal is empty.", () => plane.admin("DELETE", "journal")) },
    "Clear",
  );
  const journal = element(
    "div",
    { class: "journal" },
    element(
      "div",
      { class: "list-head" },
      element("h2", {}, "Requests"),
      element("label", { class: "check" }, writes, "writes only"),
      path,
      clear,
    ),
    element(
      "p",
      { class: "quiet small" },
      "What clients asked, newest first. This page's own looks are not among them.",
    ),
    nothing,
    items,
  );
  const off = adminIsOff("Requests", "The journal of requests");
  const root = element("div", { class: "single" });

  return {
    root,
    async update({ facts, now }) {
      const part = facts.admin.open ? journal : off.root;
      if (root.firstChild !== part) root.replaceChildren(part);
      off.update(facts);
      if (!facts.admin.open) return;
      const filter = { writes: writes.checked ? "true" : "", path: path.value.trim() };
      const wanted = JSON.stringify(filter);
      if (wanted !== shownFor) tail = new JournalTail(plane, filter);
      shownFor = wanted;
      await tail.read();
      const rows = tail.entries.toReversed().map((entry) => ({ entry, now }));
      keepInLine(items, rows, ({ entry }) => `${entry.sequence} ${entry.time}`, requestItem);
      setShown(nothing, rows.length === 0);
    },
  };
}

import { differences } from "../difference.js";
import { element, isolated, keepInLine, setShown, setText } from "../dom.js";

/**
 * Creates the view of the differences between the selected revision and another one. Defaults to the previous revision.
 */
export function comparison({ refresh }) {
  let wanted;
  const other = element("select", {
    "aria-label": "Compare with",
    onchange: () => {
      wanted = other.value;
      refresh();
    },
  });
  const title = element("code", {});
  const rows = element("tbody", {});
  const head = element("tr", {}, ...["Setting", "Before", "After"].map(heading));
  const table = element("table", { "aria-label": "Differences" }, element("thead", {}, head), rows);
  const same = element(
    "p",
    { class: "quiet" },
    "The two have the same settings. Values of secrets are not compared.",
  );
  const root = element(
    "section",
    { class: "comparison", "aria-label": "What changed" },
    element("div", { class: "comparison-head" }, element("h3", {}, "What changed in ", title), other),
    table,
    same,
  );
  return {
    root,
    update({ revisions, revision }) {
      setShown(root, revisions.length > 1);
      if (revisions.length < 2) return;
      const others = revisions.filter(({ id }) => id !== revision.id);
      const place = revisions.indexOf(revision);
      const chosen = others.find(({ id }) => id === wanted) ?? revisions[place + 1] ?? revisions[place - 1];
      setText(title, revision.id.slice(0, 8));
      keepInLine(other, others, ({ id }) => id, choiceOf);
      if (other.value !== chosen.id) other.value = chosen.id;
      const found = differences(chosen, revision);
      keepInLine(rows, found, ({ name }) => name, row);
      setShown(table, found.length > 0);
      setShown(same, found.length === 0);
    },
  };
}

function heading(text) {
  return element("th", { scope: "col" }, text);
}

function choiceOf({ id }) {
  return { root: element("option", { value: id }, `since ${id.slice(0, 8)}`) };
}

function row({ name }) {
  const before = isolated();
  const after = isolated();
  return {
    root: element(
      "tr",
      {},
      element("th", { scope: "row" }, isolated(name)),
      element("td", {}, before),
      element("td", {}, after),
    ),
    update(one) {
      setText(before, one.before ?? "none");
      setText(after, one.after ?? "none");
    },
  };
}

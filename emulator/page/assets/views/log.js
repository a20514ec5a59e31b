import { element, keepInLine, setShown, setText } from "../dom.js";
import { LogTail } from "../log-tail.js";
import { logLine } from "./log-line.js";
import { choice } from "./form.js";

const nearEnd = 24;
const levelChoices = [
  ["INFO", "from INFO"],
  ["WARNING", "from WARNING"],
  ["ERROR", "from ERROR"],
  ["CRITICAL", "CRITICAL"],
];

/** Creates the live log of the selected revision. */
export function logView({ plane, refresh }) {
  const filter = { type: "", level: "INFO", query: "" };
  let tail;
  let shownFor;

  const change = (name) => (event) => {
    filter[name] = event.target.value;
    refresh();
  };
  const type = choice("Kind", [["build"], ["deploy"]], { onchange: change("type") });
  const level = choice("Level", levelChoices, { onchange: change("level"), chosen: filter.level });
  const query = element("input", {
    type: "search",
    placeholder: "Contains…",
    "aria-label": "Show only lines that contain",
    oninput: change("query"),
  });
  const title = element("code", {});
  const earlier = element("button", { type: "button", class: "plain" }, "Earlier lines");
  const lines = element("div", { class: "lines" });
  const nothing = element("p", { class: "empty" });
  const scroller = element(
    "div",
    { class: "log", role: "log", "aria-live": "off", "aria-label": "Log lines", tabindex: 0 },
    earlier,
    lines,
    nothing,
  );
  const newest = element("button", { type: "button", class: "newest", hidden: true }, "↓ Newest");
  const atEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearEnd;
  const toEnd = () => {
    scroller.scrollTop = scroller.scrollHeight;
  };
  newest.addEventListener("click", toEnd);
  scroller.addEventListener("scroll", () => setShown(newest, !atEnd()));
  earlier.addEventListener("click", async () => {
    const before = scroller.scrollHeight - scroller.scrollTop;
    try {
      await tail.readEarlier();
    } catch {
      // The next poll shows the error.
      return;
    }
    show();
    scroller.scrollTop = scroller.scrollHeight - before;
  });

  const show = () => {
    keepInLine(lines, tail.lines, ({ id }) => id, logLine);
    setShown(earlier, tail.hasEarlier);
    const filtered = filter.type || filter.query || tail.hidesLines;
    setText(nothing, filtered ? "No line fits the filter." : "Nothing has been said yet.");
    setShown(nothing, tail.lines.length === 0);
  };

  return {
    root: element(
      "section",
      { class: "log-view", "aria-label": "Log" },
      element(
        "div",
        { class: "log-head" },
        element("h3", {}, "Log of ", title),
        type.root,
        level.root,
        query,
      ),
      element("div", { class: "log-box" }, scroller, newest),
    ),
    async update({ selected, revision }) {
      if (!revision) return;
      setText(title, revision.id.slice(0, 8));
      const wanted = JSON.stringify([revision.id, filter]);
      const other = shownFor !== wanted;
      const reading = other ? new LogTail(plane, selected.id, revision.id, { ...filter }) : tail;
      const follow = other || atEnd();
      const grown = await reading.read();
      shownFor = wanted;
      tail = reading;
      if (!other && !grown) return;
      show();
      if (follow) toEnd();
    },
  };
}

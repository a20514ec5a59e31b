import { element, keepInLine, setAttribute, setShown, setText } from "../dom.js";
import { stretches } from "../history.js";
import { toneOf } from "../status.js";
import { duration } from "../time.js";

const narrowest = 4;

/** Creates the bar that shows a rollout's duration relative to the longest one, with one segment per status. */
export function rolloutBar() {
  const track = element("div", { class: "track" });
  const legend = element("ul", { class: "legend" });
  return {
    root: element("div", { class: "bar" }, track, legend),
    update(revision, { longest, now, explained }) {
      const known = stretches(revision, now);
      const total = known.reduce((sum, { from, to }) => sum + to - from, 0);
      track.style.width = `${Math.max(narrowest, (total / longest) * 100)}%`;
      const parts = known.map((one, place) => ({ ...one, place, verdict: revision.status }));
      keepInLine(track, parts, ({ place }) => place, stretch);
      setShown(legend, explained && parts.length > 0);
      keepInLine(legend, explained ? parts : [], ({ place }) => place, entry);
    },
  };
}

function stretch() {
  const root = element("span", {});
  return {
    root,
    update(part) {
      root.style.flexGrow = String(part.to - part.from);
      setAttribute(root, "data-tone", toneOf(part.status ?? part.verdict));
      setAttribute(root, "data-unrecorded", !part.status);
      setAttribute(root, "title", `${titleOf(part)}: ${duration(part.to - part.from)}`);
    },
  };
}

function entry() {
  const swatch = element("span", { class: "dot", "aria-hidden": "true" });
  const text = element("span", {});
  return {
    root: element("li", {}, swatch, text),
    update(part) {
      setAttribute(swatch, "data-tone", toneOf(part.status ?? part.verdict));
      setAttribute(swatch, "data-unrecorded", !part.status);
      setText(text, `${titleOf(part)} ${duration(part.to - part.from)}`);
    },
  };
}

/**
 * Returns the title of a segment. For revisions from an earlier version of the control plane, only the last status is
 * known.
 */
function titleOf({ status }) {
  return status ?? "statuses not recorded";
}

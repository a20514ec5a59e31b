import { element, keepInLine, setAttribute, setShown } from "../dom.js";
import { span } from "../history.js";
import { deploymentHref } from "../route.js";
import { ended, toneOf } from "../status.js";
import { duration } from "../time.js";

const shortest = 6;

/** Creates the chart of rollout durations, oldest first. Each bar links to its revision. */
export function durations() {
  const bars = element("ol", { class: "durations", "aria-label": "Durations of the rollouts, oldest first" });
  return {
    root: bars,
    update({ selected, revisions, revision: chosen, now }) {
      setShown(bars, revisions.length > 1);
      const rollouts = revisions.map((revision) => {
        const { from, to } = span(revision, now);
        return { revision, took: to - from, chosen: revision === chosen, deployment: selected };
      });
      const longest = Math.max(1, ...rollouts.map(({ took }) => took));
      const shown = rollouts.reverse().map((one) => ({ ...one, longest }));
      keepInLine(bars, shown, ({ revision }) => revision.id, durationBar);
    },
  };
}

function durationBar() {
  const bar = element("span", { "aria-hidden": "true" });
  const link = element("a", {}, bar);
  return {
    root: element("li", {}, link),
    update({ revision, took, longest, chosen, deployment }) {
      const time = ended(revision.status) ? duration(took) : `${duration(took)} so far`;
      const text = `${revision.id.slice(0, 8)}: ${revision.status}, ${time}`;
      bar.style.height = `${Math.max(shortest, (took / longest) * 100)}%`;
      setAttribute(bar, "data-tone", toneOf(revision.status));
      setAttribute(link, "aria-label", text);
      setAttribute(link, "title", text);
      setAttribute(link, "href", deploymentHref(deployment.id, revision.id));
      setAttribute(link, "aria-current", chosen && "true");
    },
  };
}

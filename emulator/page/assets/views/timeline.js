import { element, isolated, keepInLine, setAttribute, setShown, setText } from "../dom.js";
import { span } from "../history.js";
import { deploymentHref } from "../route.js";
import { ended, toneOf } from "../status.js";
import { ago, duration, localTime } from "../time.js";
import { comparison } from "./comparison.js";
import { durations } from "./durations.js";
import { statusPill } from "./pill.js";
import { rolloutBar } from "./rollout-bar.js";

/** Creates the list of a deployment's revisions, newest first. Each shows its status, duration, and reason. */
export function timeline({ observer, refresh }) {
  const bars = durations();
  const differing = comparison({ refresh });
  const items = element("ol", { class: "timeline" });
  const more = element(
    "button",
    {
      type: "button",
      class: "plain",
      onclick: () => {
        observer.showMoreRevisions();
        refresh();
      },
    },
    "Older revisions",
  );
  const count = element("span", { class: "count" });
  let scrolledTo;
  const scrollTo = (linked) => {
    if (linked === scrolledTo) return;
    scrolledTo = linked;
    const chosen = linked && items.querySelector(".chosen");
    const { top, bottom } = chosen ? chosen.getBoundingClientRect() : { top: 0, bottom: 0 };
    if (top < 0 || bottom > innerHeight) chosen.scrollIntoView({ block: "center" });
  };
  return {
    root: element(
      "div",
      { class: "told" },
      element(
        "section",
        { class: "revisions", "aria-label": "Revisions" },
        element("h3", {}, "Revisions ", count),
        bars.root,
        items,
        more,
      ),
      differing.root,
    ),
    update(seen) {
      const { selected, revisions, revision: chosen, linked, moreRevisions, now } = seen;
      bars.update(seen);
      differing.update(seen);
      setText(count, revisions.length);
      setShown(more, moreRevisions);
      const spans = revisions.map((revision) => span(revision, now));
      const longest = Math.max(1, ...spans.map(({ from, to }) => to - from));
      const rows = revisions.map((revision, place) => ({
        revision,
        deployment: selected,
        took: spans[place].to - spans[place].from,
        longest,
        chosen: revision.id === chosen?.id,
        now,
      }));
      keepInLine(items, rows, ({ revision }) => revision.id, revisionItem);
      scrollTo(linked);
    },
  };
}

function revisionItem() {
  const id = element("code", { class: "id" });
  const pill = statusPill();
  const serving = element("span", { class: "serving", hidden: true }, "serving");
  const ref = isolated("", "bdi", { class: "ref" });
  const when = element("time", {});
  const took = element("span", { class: "took" });
  const runtime = isolated("", "span", { class: "runtime" });
  const bar = rolloutBar();
  const reason = isolated("", "p", { class: "reason" });
  const link = element(
    "a",
    {},
    element("span", { class: "line" }, id, pill.root, serving),
    element("span", { class: "line quiet" }, ref, when, took, runtime),
  );
  const root = element("li", {}, link, bar.root, reason);
  return {
    root,
    update({ revision, deployment, took: ms, longest, chosen, now }) {
      const created = Date.parse(revision.created_at);
      setAttribute(root, "data-tone", toneOf(revision.status));
      setAttribute(root, "class", chosen ? "chosen" : undefined);
      setAttribute(link, "href", deploymentHref(deployment.id, revision.id));
      setAttribute(link, "aria-current", chosen && "true");
      setText(id, revision.id.slice(0, 8));
      setAttribute(id, "title", revision.id);
      pill.update(revision.status);
      setShown(serving, revision.id === deployment.active_revision_id);
      setText(ref, refOf(revision));
      setText(when, `${localTime(created, now)} · ${ago(created, now)}`);
      setAttribute(when, "datetime", revision.created_at);
      setText(took, ended(revision.status) ? `took ${duration(ms)}` : `for ${duration(ms)} so far`);
      setText(runtime, revision.runtime ?? "");
      setShown(runtime, Boolean(revision.runtime));
      bar.update(revision, { longest, now, explained: chosen });
      setText(reason, revision.status_message ?? "");
      setShown(reason, Boolean(revision.status_message));
    },
  };
}

function refOf({ source_revision_config: config }) {
  const commit = config?.repo_commit_sha?.slice(0, 8);
  return [config?.repo_ref ?? config?.image_uri, commit].filter(Boolean).join(" @ ");
}

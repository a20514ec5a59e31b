import { element, isolated, keepInLine, setAttribute, setShown, setText } from "../dom.js";
import { deploymentHref } from "../route.js";
import { toneOf } from "../status.js";
import { ago } from "../time.js";

/** Creates the list of the workspace's deployments. Each item is a link. */
export function deploymentList({ observer, refresh }) {
  const count = element("span", { class: "count" });
  const filter = element("input", {
    type: "search",
    placeholder: "Name contains…",
    "aria-label": "Show only deployments whose name contains",
    oninput: () => {
      observer.wanted.nameContains = filter.value;
      refresh();
    },
  });
  const items = element("ul", { class: "items" });
  const more = element(
    "button",
    {
      type: "button",
      class: "plain",
      onclick: () => {
        observer.showMoreDeployments();
        refresh();
      },
    },
    "More deployments",
  );
  const root = element(
    "section",
    { class: "list", "aria-label": "Deployments" },
    element("div", { class: "list-head" }, element("h2", {}, "Deployments ", count), filter),
    items,
    more,
  );
  return {
    root,
    update({ deployments, more: hasMore, selected, now }) {
      setText(count, hasMore ? `${deployments.length}+` : deployments.length);
      setShown(more, hasMore);
      const rows = deployments.map((deployment) => ({
        deployment,
        chosen: deployment.id === selected?.id,
        now,
      }));
      keepInLine(items, rows, ({ deployment }) => deployment.id, item);
    },
  };
}

function item() {
  const name = isolated();
  const state = element("span", { class: "state" });
  const when = element("span", { class: "when" });
  const dot = element("span", { class: "dot", "aria-hidden": "true" });
  const link = element("a", {}, dot, name, state, when);
  return {
    root: element("li", {}, link),
    update({ deployment, chosen, now }) {
      const status = statusOf(deployment);
      setText(name, deployment.name);
      setText(state, status);
      setText(when, ago(Date.parse((deployment.latest ?? deployment).updated_at), now));
      setAttribute(dot, "data-tone", toneOf(status));
      setAttribute(link, "href", deploymentHref(deployment.id));
      setAttribute(link, "aria-current", chosen && "true");
    },
  };
}

/** Returns the status of the newest revision, unless the deployment is waiting for its database or is being deleted. */
export function statusOf({ status, latest }) {
  return latest && !status.startsWith("AWAITING") ? latest.status : status;
}

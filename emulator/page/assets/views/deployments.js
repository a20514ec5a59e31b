import { element, setShown, setText } from "../dom.js";
import { deploymentList } from "./deployment-list.js";
import { deploymentHead } from "./deployment-head.js";
import { logView } from "./log.js";
import { timeline } from "./timeline.js";

/** Creates the view of all deployments and the details of one. */
export function deploymentsView(tools) {
  const list = deploymentList(tools);
  const head = deploymentHead(tools);
  const revisions = timeline(tools);
  const log = logView(tools);
  const detail = element(
    "section",
    { class: "detail", "aria-label": "Deployment" },
    head.root,
    element("div", { class: "split" }, revisions.root, log.root),
  );
  const nothing = element("p", { class: "empty" });
  const root = element("div", { class: "deployments" }, list.root, detail, nothing);

  return {
    root,
    async update(seen) {
      list.update(seen);
      setShown(detail, Boolean(seen.selected));
      setShown(nothing, !seen.selected);
      setText(nothing, emptiness(seen));
      if (!seen.selected) return;
      head.update(seen);
      revisions.update(seen);
      await log.update(seen);
    },
  };
}

function emptiness({ lost, deployments }) {
  if (lost) return "This deployment no longer exists.";
  if (deployments.length > 0) return "";
  return "No deployments here yet. Run `pulumi up` with a program that has one, and watch it come.";
}

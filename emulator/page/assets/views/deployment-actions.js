import { element, setAttribute, setShown, setText } from "../dom.js";
import { ended } from "../status.js";
import { dialog, input } from "./form.js";

const statuses = [
  "CREATING",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "AWAITING_DEPLOY",
  "DEPLOYING",
  "DEPLOYED",
  "CREATE_FAILED",
  "BUILD_FAILED",
  "DEPLOY_FAILED",
  "SKIPPED",
  "INTERRUPTED",
  "UNKNOWN",
];

/** Creates the buttons for the admin actions on a deployment. The view is empty if the admin API is not available. */
export function deploymentActions({ plane, act }) {
  let shown;
  const call = (path, body) =>
    plane.admin("POST", `deployments/${encodeURIComponent(shown.selected.id)}/${path}`, body);

  const step = button("Step", "Move the rollout to its next status", () =>
    act("Moved on.", () => call("step", {})),
  );
  const status = input("Status", { list: "statuses", required: true, value: "DEPLOY_FAILED" });
  const message = input("Reason", { placeholder: "none" });
  const words = element(
    "datalist",
    { id: "statuses" },
    ...statuses.map((value) => element("option", { value })),
  );
  const about = element("p", { class: "quiet" });
  const setStatus = dialog(
    "Set a revision's status",
    {
      submit: "Set status",
      onsubmit: () => {
        const body = { revisionId: shown.revision.id, status: status.read(), message: message.read() };
        void act(`Status is now ${body.status}.`, () => call("status", body));
      },
    },
    about,
    status.root,
    words,
    message.root,
  );
  const ref = input("Ref to build", { placeholder: "as before" });
  const push = dialog(
    "Push a revision as another client",
    {
      submit: "Push revision",
      onsubmit: () =>
        void act("A revision was pushed.", () =>
          call("revisions", { sourceRevisionConfig: ref.read() ? { repo_ref: ref.read() } : {} }),
        ),
    },
    ref.root,
  );
  const setStatusButton = button("Set status…", "Give the chosen revision any status", setStatus.open);
  const pushButton = button("Push revision…", "Create a revision like another client", push.open);
  const root = element("div", { class: "actions", role: "group", "aria-label": "Admin actions" });
  const parts = [step, setStatusButton, pushButton, setStatus.root, push.root];

  return {
    root,
    update(seen) {
      shown = seen;
      const { facts, revision, revisions } = seen;
      setShown(root, facts.admin.open);
      if (!facts.admin.open) return root.replaceChildren();
      if (root.childElementCount === 0) root.append(...parts);
      setShown(step, facts.steerable);
      const [latest] = revisions;
      setAttribute(step, "disabled", !latest || ended(latest.status));
      setAttribute(setStatusButton, "disabled", !revision || ended(revision.status));
      setText(about, revision ? `Revision ${revision.id.slice(0, 8)} is ${revision.status}.` : "");
    },
  };
}

function button(text, title, onclick) {
  return element("button", { type: "button", title, onclick }, text);
}

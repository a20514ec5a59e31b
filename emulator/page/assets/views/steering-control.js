import { element, setShown } from "../dom.js";
import { buttons, card } from "./card.js";
import { form, input } from "./form.js";

const paces = [
  ["seconds", "seconds per status"],
  ["at once", "at once"],
  ["step by step", "step by step, manually"],
];
const verdicts = ["DEPLOYED", "CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "never"];

/** Creates the control that sets the statuses and duration of simulated rollouts. */
export function steeringControl({ plane, act }) {
  const deployment = input("Deployment", { placeholder: "all" });
  const pace = input("Pace", { options: paces });
  const seconds = input("Seconds", { type: "number", min: 0, step: "any", value: 1, required: true });
  const verdict = input("Verdict", { options: verdicts.map((word) => [word]) });
  const reason = input("Reason", { placeholder: "none" });
  const adjust = () => {
    const used = pace.read() === "seconds";
    setShown(seconds.root, used);
    seconds.control.disabled = !used;
  };
  pace.control.addEventListener("change", adjust);

  const steer = () => {
    const chosen = pace.read();
    const plan = {
      deployment: deployment.read(),
      pace: chosen === "seconds" ? { secondsPerStatus: seconds.read() } : chosen,
      verdict: verdict.read(),
      reason: reason.read(),
    };
    void act("Rollouts go that way now.", () => plane.admin("POST", "steering", plan));
  };
  const root = card(
    "Rollouts",
    "Behavior of simulated rollouts from now on, including those in progress.",
    form(
      steer,
      element(
        "div",
        { class: "fields" },
        ...[deployment, pace, seconds, verdict, reason].map((field) => field.root),
      ),
      buttons(element("button", { type: "submit", class: "primary" }, "Steer rollouts")),
    ),
  );
  return { root, update: ({ steerable }) => setShown(root, steerable) };
}

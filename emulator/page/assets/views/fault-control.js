import { element, setShown } from "../dom.js";
import { buttons, card } from "./card.js";
import { form, input } from "./form.js";

const kinds = [
  ["status", "another answer"],
  ["delay", "a late answer"],
  ["reset", "connection reset"],
  ["truncate", "broken-off answer"],
];
const moments = [
  ["before", "before it is carried out"],
  ["after", "after it was carried out"],
];

/** Creates the control that injects faults into the next matching requests. */
export function faultControl({ plane, act }) {
  const kind = input("Fault", { options: kinds });
  const status = input("Status", { type: "number", min: 200, max: 599, value: 503, required: true });
  const retryAfter = input("Retry-After", { type: "number", min: 0, placeholder: "none" });
  const delay = input("Milliseconds", { type: "number", min: 0, value: 2000, required: true });
  const when = input("When", { options: moments });
  const method = input("Method", { options: [["", "any"], ["GET"], ["POST"], ["PATCH"], ["DELETE"]] });
  const path = input("Path", { placeholder: "any, or /v2/deployments/:id" });
  const times = input("Times", { type: "number", min: 1, value: 1 });

  const fields = { status: [status, retryAfter, when], delay: [delay], reset: [when], truncate: [] };
  const adjust = () => {
    for (const field of [status, retryAfter, delay, when]) {
      const used = fields[kind.read()].includes(field);
      setShown(field.root, used);
      field.control.disabled = !used;
    }
  };
  kind.control.addEventListener("change", adjust);
  adjust();

  const specifics = {
    status: () => ({ status: status.read(), retryAfter: retryAfter.read(), when: when.read() }),
    delay: () => ({ ms: delay.read() }),
    reset: () => ({ when: when.read() }),
    truncate: () => ({}),
  };
  const add = () => {
    const chosen = kind.read();
    const target = { method: method.read(), path: path.read(), times: times.read() };
    const fault = { kind: chosen, ...specifics[chosen](), ...target };
    void act("The fault is set.", () => plane.admin("POST", "faults", fault));
  };
  const clear = () => act("No faults are left.", () => plane.admin("DELETE", "faults"));

  return {
    root: card(
      "Faults",
      "The next requests that fit go wrong. Looking at this page uses none of them up.",
      form(
        add,
        element(
          "div",
          { class: "fields" },
          ...[kind, status, retryAfter, delay, when, method, path, times].map(({ root }) => root),
        ),
        buttons(
          element("button", { type: "submit", class: "primary" }, "Add fault"),
          element("button", { type: "button", onclick: clear }, "Clear faults"),
        ),
      ),
    ),
  };
}

import { element } from "../dom.js";
import { adminIsOff } from "./admin-off.js";
import { clockControl } from "./clock-control.js";
import { faultControl } from "./fault-control.js";
import { resetControl } from "./reset-control.js";
import { steeringControl } from "./steering-control.js";

/** Creates the view of the admin actions for the control plane as a whole. */
export function controlsView(tools) {
  const off = adminIsOff("Controls", "To make faults, steer rollouts, move time or start afresh");
  const cards = [faultControl, steeringControl, clockControl, resetControl].map((make) => make(tools));
  const controls = element("div", { class: "controls" }, ...cards.map(({ root }) => root));
  const root = element("div", { class: "single" });
  return {
    root,
    update({ facts }) {
      const part = facts.admin.open ? controls : off.root;
      if (root.firstChild !== part) root.replaceChildren(part);
      off.update(facts);
      for (const card of cards) card.update?.(facts);
    },
  };
}

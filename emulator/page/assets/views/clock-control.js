import { element, setShown } from "../dom.js";
import { buttons, card } from "./card.js";
import { form, input } from "./form.js";

const leaps = [
  ["10 s", 10],
  ["1 min", 60],
  ["10 min", 600],
  ["1 h", 3600],
];

/** Creates the control that advances virtual time. */
export function clockControl({ plane, act }) {
  const advance = (seconds, text) =>
    act(`Time moved on by ${text}.`, () => plane.admin("POST", "clock/advance", { ms: seconds * 1000 }));
  const seconds = input("Seconds", { type: "number", min: 0, step: "any", value: 30, required: true });
  const virtual = element(
    "div",
    {},
    buttons(
      ...leaps.map(([text, length]) =>
        element("button", { type: "button", onclick: () => advance(length, text) }, `+ ${text}`),
      ),
    ),
    form(
      () => void advance(seconds.read(), `${seconds.read()} s`),
      seconds.root,
      buttons(element("button", { type: "submit", class: "primary" }, "Advance clock")),
    ),
  );
  const real = element("p", {}, "This control plane uses the system clock, which cannot be advanced.");
  return {
    root: card("Clock", "Where time is virtual, it moves only when told to.", virtual, real),
    update({ virtualTime }) {
      setShown(virtual, virtualTime);
      setShown(real, !virtualTime);
    },
  };
}

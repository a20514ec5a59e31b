import { element } from "../dom.js";

/** Says what is missing without the admin API, and how to turn that on. */
export function adminIsOff(title, what) {
  return element(
    "section",
    { class: "notice" },
    element("h2", {}, title),
    element(
      "p",
      {},
      `${what} needs the admin API, which is off. To turn it on, start the control plane with`,
    ),
    element("pre", {}, "agentserver emulate --admin"),
    element("p", {}, "or, in a program,"),
    element("pre", {}, "await startControlPlane({ admin: true });"),
  );
}

import { element } from "../dom.js";

/**
 * Explains which features the admin API would add. `update` shows the reason why it is not available, and what to do.
 */
export function adminIsOff(title, what) {
  const off = notServed(title, what);
  const closed = notOpen(title, what);
  const root = element("div", {});
  return {
    root,
    update({ admin }) {
      const part = admin.served ? closed : off;
      if (root.firstChild !== part) root.replaceChildren(part);
    },
  };
}

function notServed(title, what) {
  return notice(
    title,
    element(
      "p",
      {},
      `${what} needs the admin API, which is off. To turn it on, start the control plane with`,
    ),
    element("pre", {}, "npx agentserver emulate --admin"),
    element("p", {}, "or, in a program,"),
    element("pre", {}, "await startControlPlane({ admin: true });"),
  );
}

function notOpen(title, what) {
  return notice(
    title,
    element(
      "p",
      {},
      `${what} needs the admin API, which the key you signed in with does not open. Sign out, and sign in with the `,
      "admin key or, where there is none, with an API key of the first organization.",
    ),
  );
}

function notice(title, ...content) {
  return element("section", { class: "notice" }, element("h2", {}, title), ...content);
}

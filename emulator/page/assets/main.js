import { openConsole } from "./console.js";
import { Plane, PlaneError } from "./plane.js";
import { takeCode } from "./route.js";
import { forgetSession, keepSession, readSession } from "./session.js";
import { signIn } from "./views/sign-in.js";

/** Asks for credentials if this tab has none, and then shows the control plane. */
async function open(complaint) {
  const session = readSession();
  if (session) {
    const root = openConsole({ session, onRefused: (why) => leave(why), onSignOut: () => leave() });
    document.body.replaceChildren(root);
    return;
  }
  const form = signIn({
    complaint,
    facts: Plane.facts,
    check: signedIn,
    onSignedIn: (entered) => {
      keepSession(entered);
      void open();
    },
  });
  document.body.replaceChildren(form);
  form.querySelector("input").focus();
}

/** Rejects unless the control plane accepts the entered credentials. */
async function signedIn(entered) {
  const plane = new Plane(entered);
  await plane.deployments({ limit: 1 });
  if (entered.adminKey && !(await plane.facts()).admin.open)
    throw new PlaneError(422, "The admin key does not open the admin API of this control plane.");
}

function leave(why) {
  forgetSession();
  void open(why);
}

/** Signs in with the code from a link, if the page was opened with one. */
async function enter() {
  const code = takeCode();
  if (code === undefined) return false;
  const isOpen = document.body.querySelector("nav") !== null;
  try {
    keepSession(await Plane.enter(code));
    if (isOpen) location.reload();
    else void open();
  } catch ({ message }) {
    // A user who is already signed in does not need the link.
    if (!isOpen) void open(message);
  }
  return true;
}

addEventListener("hashchange", () => void enter());
void enter().then((entered) => entered || open());

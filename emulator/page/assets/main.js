import { openConsole } from "./console.js";
import { Plane } from "./plane.js";
import { forgetSession, keepSession, readSession } from "./session.js";
import { signIn } from "./views/sign-in.js";

/** Asks who is there if the tab does not know it yet, then shows the control plane. */
async function open(complaint) {
  const session = readSession();
  if (session) {
    const root = openConsole({ session, onRefused: (why) => leave(why), onSignOut: () => leave() });
    document.body.replaceChildren(root);
    return;
  }
  const form = signIn({
    complaint,
    check: (entered) => new Plane(entered).deployments({ limit: 1 }),
    onSignedIn: (entered) => {
      keepSession(entered);
      void open();
    },
  });
  document.body.replaceChildren(form);
  form.querySelector("input").focus();
}

function leave(why) {
  forgetSession();
  void open(why);
}

void open();

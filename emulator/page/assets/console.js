import { setShown } from "./dom.js";
import { Observer } from "./observer.js";
import { Plane, PlaneError } from "./plane.js";
import { readRoute } from "./route.js";
import { refusal } from "./views/sign-in.js";
import { controlsView } from "./views/controls.js";
import { deploymentsView } from "./views/deployments.js";
import { frame } from "./views/frame.js";
import { requestsView } from "./views/requests.js";
import { watch } from "./watch.js";

const everyMs = 1000;

/** Opens the page for a signed-in user, and keeps it up to date. */
export function openConsole({ session, onRefused, onSignOut }) {
  const plane = new Plane(session);
  const observer = new Observer(plane);
  let watching;

  const close = () => {
    watching.stop();
    removeEventListener("hashchange", refresh);
  };
  const refresh = () => watching.now();
  const { root, say, ...outside } = frame({
    onSignOut: () => {
      close();
      onSignOut();
    },
  });
  /** Executes a user action and shows its result. */
  const act = async (done, action) => {
    try {
      await action();
      say(done, "good");
    } catch (error) {
      say(error.message, "bad");
    }
    refresh();
  };
  const tools = { plane, observer, act, refresh };
  const views = {
    deployments: deploymentsView(tools),
    requests: requestsView(tools),
    controls: controlsView(tools),
  };
  outside.content.append(...Object.values(views).map((view) => view.root));

  const look = async () => {
    const route = readRoute();
    for (const [name, view] of Object.entries(views)) setShown(view.root, name === route.place);
    outside.select(route.place);
    try {
      const seen = await observer.look(route);
      outside.update(seen);
      await views[route.place].update(seen);
      outside.unreachable(undefined);
    } catch (error) {
      if ([401, 403].includes(error.status)) {
        close();
        onRefused(refusal(error));
      } else outside.unreachable(error.message);
      if (!(error instanceof PlaneError)) console.error(error);
    }
  };
  addEventListener("hashchange", refresh);
  watching = watch(look, everyMs);
  return root;
}

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ControlsView } from "./controls/view";
import { errorText } from "./data/error-text";
import { Observer, type Observation } from "./data/observer";
import { Plane, PlaneError } from "./data/plane";
import { readRoute, type Route } from "./data/route";
import type { Session } from "./data/types";
import { type Watch, watch } from "./data/watch";
import { DeploymentsView } from "./deployments/view";
import { Frame, type News } from "./frame";
import type { Playground } from "./playground/view";
import { RequestsView } from "./requests/view";
import { refusal } from "./sign-in";
import { type Tools, ToolsContext } from "./tools";

const everyMs = 1000;
const newsForMs = 6000;

interface ConsoleProps {
  session: Session;
  onRefused: (why: string) => void;
  onSignOut: () => void;
}

/** Displays the playground. Its code is loaded when it is first shown. */
function LazyPlayground(props: { seen: Observation; route: Route }) {
  const [Loaded, setLoaded] = useState<typeof Playground>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    import("./playground/view").then(
      ({ Playground: view }) => setLoaded(() => view),
      (error: unknown) => setProblem((error as Error).message),
    );
  }, []);
  if (Loaded) return <Loaded {...props} />;
  return <p class="empty">{problem ?? "Loading the playground…"}</p>;
}

/** Displays the web console to a signed-in user, and updates it automatically. */
export function Console({ session, onRefused, onSignOut }: ConsoleProps) {
  const [route, setRoute] = useState(readRoute);
  const [seen, setSeen] = useState<Observation>();
  const [trouble, setTrouble] = useState<string>();
  const [news, setNews] = useState<News>();
  const hasPlayground = useRef(false);
  hasPlayground.current ||= route.place === "playground";
  const watching = useRef<Watch>(undefined);

  const tools = useMemo((): Tools => {
    const plane = new Plane(session);
    const refresh = () => watching.current?.now();
    return {
      session,
      plane,
      observer: new Observer(plane),
      polls: new Set(),
      refresh,
      async act(done, action) {
        try {
          await action();
          setNews({ text: done, tone: "good" });
        } catch (error) {
          setNews({ text: errorText(error), tone: "bad" });
        }
        refresh();
      },
    };
  }, [session]);

  useEffect(() => {
    if (!news) return;
    const silence = setTimeout(() => setNews(undefined), newsForMs);
    return () => clearTimeout(silence);
  }, [news]);

  useEffect(() => {
    const look = async () => {
      const current = readRoute();
      setRoute(current);
      try {
        const observed = await tools.observer.look(current);
        setSeen(observed);
        for (const { place, poll } of tools.polls) if (place === current.place) await poll(observed);
        setTrouble(undefined);
      } catch (error) {
        if (error instanceof PlaneError && [401, 403].includes(error.status)) onRefused(refusal(error));
        else setTrouble((error as Error).message);
        if (!(error instanceof PlaneError)) reportError(error);
      }
    };
    const { now, stop } = (watching.current = watch(look, everyMs));
    addEventListener("hashchange", now);
    return () => {
      stop();
      removeEventListener("hashchange", now);
    };
  }, [tools]);

  return (
    <ToolsContext.Provider value={tools}>
      <Frame place={route.place} seen={seen} trouble={trouble} news={news} onSignOut={onSignOut}>
        {seen && (
          <>
            <div class="deployments" hidden={route.place !== "deployments"}>
              <DeploymentsView seen={seen} />
            </div>
            <div hidden={route.place !== "playground"}>
              {hasPlayground.current && <LazyPlayground seen={seen} route={route} />}
            </div>
            <div class="single" hidden={route.place !== "requests"}>
              <RequestsView seen={seen} />
            </div>
            <div class="single" hidden={route.place !== "controls"}>
              <ControlsView facts={seen.facts} />
            </div>
          </>
        )}
      </Frame>
    </ToolsContext.Provider>
  );
}

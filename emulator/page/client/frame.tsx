import type { ComponentChildren } from "preact";
import type { Observation } from "./data/observer";
import type { Place } from "./data/route";
import { localTime } from "./data/time";

const places: [Place, string][] = [
  ["deployments", "Deployments"],
  ["playground", "Playground"],
  ["requests", "Requests"],
  ["controls", "Controls"],
];

/** Message about the result of a user action. */
export interface News {
  text: string;
  tone: "good" | "bad";
}

interface FrameProps {
  place: Place;
  seen: Observation | undefined;
  /** Reason why no new data is available. */
  trouble: string | undefined;
  news: News | undefined;
  onSignOut: () => void;
  children: ComponentChildren;
}

/** Displays the frame around the views: title, facts about the control plane, navigation, and notices. */
export function Frame({ place, seen, trouble, news, onSignOut, children }: FrameProps) {
  const deploymentId = seen?.selected?.id;
  // Deployments and their playgrounds show the same deployment.
  const hrefOf = (name: Place) =>
    deploymentId && (name === "deployments" || name === "playground")
      ? `#/${name}/${encodeURIComponent(deploymentId)}`
      : `#/${name}`;
  return (
    <div class="frame">
      <header class="top">
        <img src="page/icon.svg" alt="" width={28} height={28} />
        <div class="title">
          <h1>Local control plane</h1>
          <span class="address">{seen?.facts.baseUrl}</span>
        </div>
        <div class="badges">
          {seen && <span class="badge">{seen.facts.dialect} dialect</span>}
          {seen && <span class="badge">{seen.facts.steerable ? "simulated rollouts" : "real rollouts"}</span>}
          {seen?.facts.virtualTime && <span class="badge">virtual time {localTime(seen.now, 0)}</span>}
        </div>
        <nav aria-label="Views">
          {places.map(([name, title]) => (
            <a key={name} class="tab" href={hrefOf(name)} aria-current={name === place ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <button type="button" class="plain" onClick={onSignOut}>
          Sign out
        </button>
      </header>
      <p class="trouble" role="alert" hidden={trouble === undefined}>
        {trouble !== undefined &&
          `The control plane does not respond: ${trouble}. The page may show old data; retrying.`}
      </p>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <p class="news" role="status" data-tone={news?.tone}>
        {news?.text}
      </p>
    </div>
  );
}

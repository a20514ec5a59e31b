import { useLayoutEffect, useRef } from "preact/hooks";
import { span } from "../data/history";
import type { Observation } from "../data/observer";
import { deploymentHref } from "../data/route";
import { ended, toneOf } from "../data/status";
import { ago, duration, localTime } from "../data/time";
import type { Deployment, Revision } from "../data/types";
import { StatusPill } from "../elements/status-pill";
import { Untrusted } from "../elements/untrusted";
import { useTools } from "../tools";
import { Comparison } from "./comparison";
import { Durations } from "./durations";
import { RolloutBar } from "./rollout-bar";

/** Displays the revisions of a deployment, newest first, each with its status, duration, and reason. */
export function Timeline({ seen, deployment }: { seen: Observation; deployment: Deployment }) {
  const { observer, refresh } = useTools();
  const { revisions, revision: chosen, linked, moreRevisions, now } = seen;
  const items = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const element = linked && items.current?.querySelector(".chosen");
    if (!element) return;
    const { top, bottom } = element.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) element.scrollIntoView({ block: "center" });
  }, [linked]);
  const times = revisions.map((revision) => span(revision, now));
  const took = (place: number) => times[place]!.to - times[place]!.from;
  const longest = Math.max(1, ...times.map(({ from, to }) => to - from));
  const showMore = () => {
    observer.showMoreRevisions();
    refresh();
  };
  return (
    <div class="history">
      <section class="revisions" aria-label="Revisions">
        <h3>
          Revisions <span class="count">{revisions.length}</span>
        </h3>
        <Durations seen={seen} deployment={deployment} />
        <ol class="timeline" ref={items}>
          {revisions.map((revision, place) => (
            <Item
              key={revision.id}
              revision={revision}
              deployment={deployment}
              took={took(place)}
              longest={longest}
              isChosen={revision.id === chosen?.id}
              now={now}
            />
          ))}
        </ol>
        {moreRevisions && (
          <button type="button" class="plain" onClick={showMore}>
            Older revisions
          </button>
        )}
      </section>
      {chosen && <Comparison revisions={revisions} revision={chosen} />}
    </div>
  );
}

interface ItemProps {
  revision: Revision;
  deployment: Deployment;
  /** Duration of this rollout and of the longest rollout, in milliseconds. */
  took: number;
  longest: number;
  isChosen: boolean;
  now: number;
}

function Item({ revision, deployment, took, longest, isChosen, now }: ItemProps) {
  const { id, status, created_at: createdAt, status_message: reason, runtime } = revision;
  const created = Date.parse(createdAt);
  return (
    <li class={isChosen ? "chosen" : undefined} data-tone={toneOf(status)}>
      <a href={deploymentHref(deployment.id, id)} aria-current={isChosen ? "true" : undefined}>
        <span class="line">
          <code class="id" title={id}>
            {id.slice(0, 8)}
          </code>
          <StatusPill status={status} />
          {id === deployment.active_revision_id && <span class="serving">serving</span>}
        </span>
        <span class="line quiet">
          <Untrusted text={refOf(revision)} class="ref" />
          <time dateTime={createdAt}>{`${localTime(created, now)} · ${ago(created, now)}`}</time>
          <span class="took">
            {ended(status) ? `took ${duration(took)}` : `for ${duration(took)} so far`}
          </span>
          {runtime && <Untrusted text={runtime} tag="span" class="runtime" />}
        </span>
      </a>
      <RolloutBar revision={revision} longest={longest} now={now} isExplained={isChosen} />
      {reason && <Untrusted text={reason} tag="p" class="reason" />}
    </li>
  );
}

function refOf({ source_revision_config: config }: Revision): string {
  const commit = config?.repo_commit_sha?.slice(0, 8);
  return [config?.repo_ref ?? config?.image_uri, commit].filter(Boolean).join(" @ ");
}

import { useState } from "preact/hooks";
import type { Observation } from "../data/observer";
import { deploymentHref } from "../data/route";
import { toneOf } from "../data/status";
import { ago } from "../data/time";
import type { Deployment } from "../data/types";
import { Untrusted } from "../elements/untrusted";
import { useTools } from "../tools";

/** Displays the deployments of the workspace. Each item is a link. */
export function DeploymentList({ seen }: { seen: Observation }) {
  const { observer, refresh } = useTools();
  const [filter, setFilter] = useState("");
  const { deployments, more, selected, now } = seen;
  const change = (text: string) => {
    setFilter(text);
    observer.wanted.nameContains = text;
    refresh();
  };
  const showMore = () => {
    observer.showMoreDeployments();
    refresh();
  };
  return (
    <section class="list" aria-label="Deployments">
      <div class="list-head">
        <h2>
          Deployments <span class="count">{more ? `${deployments.length}+` : deployments.length}</span>
        </h2>
        <input
          type="search"
          placeholder="Name contains…"
          aria-label="Show only deployments whose name contains"
          value={filter}
          onInput={(event) => change(event.currentTarget.value)}
        />
      </div>
      <ul class="items">
        {deployments.map((deployment) => (
          <Item
            key={deployment.id}
            deployment={deployment}
            isChosen={deployment.id === selected?.id}
            now={now}
          />
        ))}
      </ul>
      {more && (
        <button type="button" class="plain" onClick={showMore}>
          More deployments
        </button>
      )}
    </section>
  );
}

function Item({ deployment, isChosen, now }: { deployment: Deployment; isChosen: boolean; now: number }) {
  const status = statusOf(deployment);
  return (
    <li>
      <a href={deploymentHref(deployment.id)} aria-current={isChosen ? "true" : undefined}>
        <span class="dot" aria-hidden="true" data-tone={toneOf(status)} />
        <Untrusted text={deployment.name} />
        <span class="state">{status}</span>
        <span class="when">{ago(Date.parse((deployment.latest ?? deployment).updated_at), now)}</span>
      </a>
    </li>
  );
}

/** Returns the status of the newest revision, unless the deployment is waiting for its database or is being deleted. */
export function statusOf({ status, latest }: Deployment): string {
  return latest && !status.startsWith("AWAITING") ? latest.status : status;
}

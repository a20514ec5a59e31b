import { span } from "../data/history";
import type { Observation } from "../data/observer";
import { deploymentHref } from "../data/route";
import { ended, toneOf } from "../data/status";
import { duration } from "../data/time";
import type { Deployment } from "../data/types";

const shortest = 6;

/** Durations of the rollouts, oldest first. Each bar links to its revision. */
export function Durations({ seen, deployment }: { seen: Observation; deployment: Deployment }) {
  const { revisions, revision: chosen, now } = seen;
  if (revisions.length < 2) return null;
  const rollouts = revisions.toReversed().map((revision) => {
    const { from, to } = span(revision, now);
    return { revision, took: to - from };
  });
  const longest = Math.max(1, ...rollouts.map(({ took }) => took));
  return (
    <ol class="durations" aria-label="Durations of the rollouts, oldest first">
      {rollouts.map(({ revision: { id, status }, took }) => {
        const time = ended(status) ? duration(took) : `${duration(took)} so far`;
        const text = `${id.slice(0, 8)}: ${status}, ${time}`;
        return (
          <li key={id}>
            <a
              href={deploymentHref(deployment.id, id)}
              aria-label={text}
              title={text}
              aria-current={id === chosen?.id ? "true" : undefined}
            >
              <span
                aria-hidden="true"
                data-tone={toneOf(status)}
                style={{ height: `${Math.max(shortest, (took / longest) * 100)}%` }}
              />
            </a>
          </li>
        );
      })}
    </ol>
  );
}

import { expectedDuration } from "../data/expected-duration";
import { span } from "../data/history";
import type { Observation } from "../data/observer";
import { deploymentHref } from "../data/route";
import { ended, toneOf } from "../data/status";
import { duration } from "../data/time";
import type { Deployment } from "../data/types";

const shortest = 6;
const narrowest = 4;

/**
 * Displays the durations of the rollouts, oldest first, and the usual range for rollouts that are similar to the
 * selected one. Each bar links to its revision.
 */
export function Durations({ seen, deployment }: { seen: Observation; deployment: Deployment }) {
  const { revisions, revision: chosen, moreRevisions, now } = seen;
  if (revisions.length < 2 || !chosen) return null;
  const { range, text } = expectedDuration(revisions, chosen, moreRevisions);
  const rollouts = revisions.toReversed().map((revision) => {
    const { from, to } = span(revision, now);
    return { revision, took: to - from };
  });
  const longest = Math.max(1, range?.high ?? 0, ...rollouts.map(({ took }) => took));
  const share = (ms: number) => (ms / longest) * 100;
  return (
    <>
      <div class="duration-chart">
        {range && (
          <span
            class="usual"
            aria-hidden="true"
            style={{
              bottom: `${share(range.low)}%`,
              height: `${Math.max(narrowest, share(range.high - range.low))}%`,
            }}
          />
        )}
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
                  aria-current={id === chosen.id ? "true" : undefined}
                >
                  <span
                    aria-hidden="true"
                    data-tone={toneOf(status)}
                    style={{ height: `${Math.max(shortest, share(took))}%` }}
                  />
                </a>
              </li>
            );
          })}
        </ol>
      </div>
      <p class="quiet small">{text}</p>
    </>
  );
}

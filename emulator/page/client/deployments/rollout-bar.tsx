import { stretches, type Stretch } from "../data/history";
import { toneOf } from "../data/status";
import { duration } from "../data/time";
import type { Revision } from "../data/types";

const narrowest = 4;

interface RolloutBarProps {
  revision: Revision;
  /** Duration of the longest rollout in milliseconds. */
  longest: number;
  now: number;
  isExplained: boolean;
}

/** Displays the duration of a rollout relative to the longest rollout, with one segment per status. */
export function RolloutBar({ revision, longest, now, isExplained }: RolloutBarProps) {
  const parts = stretches(revision, now);
  const total = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  const marks = (part: Stretch) => ({
    "data-tone": toneOf(part.status ?? revision.status),
    "data-unrecorded": part.status ? undefined : "",
  });
  return (
    <div class="bar">
      <div class="track" style={{ width: `${Math.max(narrowest, (total / longest) * 100)}%` }}>
        {parts.map((part, place) => (
          <span
            key={place}
            {...marks(part)}
            style={{ flexGrow: String(part.to - part.from) }}
            title={`${titleOf(part)}: ${duration(part.to - part.from)}`}
          />
        ))}
      </div>
      {isExplained && parts.length > 0 && (
        <ul class="legend">
          {parts.map((part, place) => (
            <li key={place}>
              <span class="dot" aria-hidden="true" {...marks(part)} />
              <span>{`${titleOf(part)} ${duration(part.to - part.from)}`}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/**
 * Returns the title of a segment. For revisions from an earlier version of the control plane, only the last status is
 * known.
 */
function titleOf({ status }: Stretch): string {
  return status ?? "statuses not recorded";
}

import { useState } from "preact/hooks";
import { differences } from "../data/difference";
import type { Revision } from "../data/types";
import { DifferenceTable } from "../elements/difference-table";

/** Displays the differences between the selected revision and another one, by default the previous revision. */
export function Comparison({ revisions, revision }: { revisions: Revision[]; revision: Revision }) {
  const [wanted, setWanted] = useState<string>();
  const others = revisions.filter(({ id }) => id !== revision.id);
  const place = revisions.indexOf(revision);
  const other = others.find(({ id }) => id === wanted) ?? revisions[place + 1] ?? revisions[place - 1];
  if (!other) return null;
  const found = differences(other, revision);
  return (
    <section class="comparison" aria-label="What changed">
      <div class="comparison-head">
        <h3>
          What changed in <code>{revision.id.slice(0, 8)}</code>
        </h3>
        <select
          aria-label="Compare with"
          value={other.id}
          onChange={(event) => setWanted(event.currentTarget.value)}
        >
          {others.map(({ id }) => (
            <option key={id} value={id}>
              since {id.slice(0, 8)}
            </option>
          ))}
        </select>
      </div>
      {found.length === 0 ? (
        <p class="quiet">The two revisions have the same settings. Secret values are not compared.</p>
      ) : (
        <DifferenceTable title="Differences" subject="Setting" differences={found} />
      )}
    </section>
  );
}

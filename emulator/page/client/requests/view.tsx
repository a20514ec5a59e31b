import { useRef, useState } from "preact/hooks";
import { JournalTail } from "../data/journal-tail";
import type { Observation } from "../data/observer";
import { localTime } from "../data/time";
import type { JournalEntry } from "../data/types";
import { AdminOff } from "../elements/admin-off";
import { Untrusted } from "../elements/untrusted";
import { usePoll, useTools } from "../tools";

/** Displays the journal: the requests that clients sent to the control plane, newest first. */
export function RequestsView({ seen }: { seen: Observation }) {
  const { plane, act, refresh } = useTools();
  const [filter, setFilter] = useState({ writes: "", path: "" });
  const [entries, setEntries] = useState<JournalEntry[]>([]);
  const tail = useRef<{ filter: typeof filter; journal: JournalTail }>(undefined);

  usePoll("requests", async ({ facts }) => {
    if (!facts.admin.open) return;
    if (tail.current?.filter !== filter) tail.current = { filter, journal: new JournalTail(plane, filter) };
    const { journal } = tail.current;
    await journal.read();
    if (tail.current.journal === journal) setEntries(journal.entries);
  });

  if (!seen.facts.admin.open)
    return <AdminOff title="Requests" what="The request journal" facts={seen.facts} />;
  const change = (part: Partial<typeof filter>) => {
    setFilter({ ...filter, ...part });
    refresh();
  };
  return (
    <div class="journal">
      <div class="list-head">
        <h2>Requests</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={filter.writes === "true"}
            onChange={(event) => change({ writes: event.currentTarget.checked ? "true" : "" })}
          />
          writes only
        </label>
        <input
          type="search"
          placeholder="/v2/deployments/:id"
          aria-label="Show only requests whose path matches the pattern"
          value={filter.path}
          onInput={(event) => change({ path: event.currentTarget.value.trim() })}
        />
        <button
          type="button"
          onClick={() => void act("Journal cleared.", () => plane.admin("DELETE", "journal"))}
        >
          Clear
        </button>
      </div>
      <p class="quiet small">
        Requests from clients, newest first. Requests from this page are not included.
      </p>
      {entries.length === 0 && <p class="empty">No requests.</p>}
      <ol class="requests">
        {entries.toReversed().map((entry) => (
          <Request key={`${entry.sequence} ${entry.time}`} entry={entry} now={seen.now} />
        ))}
      </ol>
    </div>
  );
}

/** Displays one request, which can be expanded to show its body. */
function Request({ entry, now }: { entry: JournalEntry; now: number }) {
  const query = new URLSearchParams(entry.query).toString();
  const notes = [
    entry.fault && `fault: ${entry.fault}`,
    entry.unknownFields.length > 0 && `unknown: ${entry.unknownFields.join(", ")}`,
  ].filter(Boolean);
  return (
    <li>
      <details>
        <summary>
          <time dateTime={entry.time}>{localTime(Date.parse(entry.time), now)}</time>
          <span class="method" data-writes={entry.method !== "GET" || undefined}>
            {entry.method}
          </span>
          <Untrusted text={query ? `${entry.path}?${query}` : entry.path} tag="span" class="path" />
          <Untrusted text={notes.join(" · ")} tag="span" class="notes" />
          <span class="code" data-tone={toneOf(entry.status)}>
            {entry.status || "reset"}
          </span>
        </summary>
        <Untrusted
          text={entry.body === undefined ? "No body." : JSON.stringify(entry.body, undefined, 2)}
          tag="pre"
        />
      </details>
    </li>
  );
}

function toneOf(status: number): string {
  if (status === 0 || status >= 500) return "bad";
  return status >= 400 ? "warn" : "good";
}

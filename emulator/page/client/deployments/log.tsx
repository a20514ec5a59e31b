import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type LogFilter, LogTail } from "../data/log-tail";
import { localTime } from "../data/time";
import type { LogEntry, Revision } from "../data/types";
import { Filter } from "../elements/fields";
import { Untrusted } from "../elements/untrusted";
import { usePoll, useTools } from "../tools";

const nearEnd = 24;
const kinds = [["build"], ["deploy"]] as const;
const levels = [
  ["INFO", "INFO or above"],
  ["WARNING", "WARNING or above"],
  ["ERROR", "ERROR or above"],
  ["CRITICAL", "CRITICAL"],
] as const;
// Colors and cursor movements that programs send to terminals.
const terminalCodes = /\u001b\[[0-9;?]*[A-Za-z]/g;

/** Displays the live log of the selected revision. */
export function Log({ revision }: { revision: Revision | undefined }) {
  const { plane, refresh } = useTools();
  const [filter, setFilter] = useState<LogFilter>({ type: "", level: "INFO", query: "" });
  const [shown, setShown] = useState<{ lines: LogEntry[]; hasEarlier: boolean; isFiltered: boolean }>();
  const [isAtEnd, setAtEnd] = useState(true);
  const scroller = useRef<HTMLDivElement>(null);
  const current = useRef<{ revisionId: string; filter: LogFilter; tail: LogTail }>(undefined);
  const afterUpdate = useRef<() => void>(undefined);

  const toEnd = () => {
    const { current: log } = scroller;
    if (log) log.scrollTop = log.scrollHeight;
  };
  const checkEnd = () => {
    const { current: log } = scroller;
    return !log || log.scrollHeight - log.scrollTop - log.clientHeight < nearEnd;
  };
  const show = ({ lines, hasEarlier, hidesLines }: LogTail) =>
    setShown({ lines, hasEarlier, isFiltered: Boolean(filter.type || filter.query || hidesLines) });

  usePoll("deployments", async ({ selected, revision: wanted }) => {
    if (!selected || !wanted) return;
    const isOther = current.current?.revisionId !== wanted.id || current.current.filter !== filter;
    const tail =
      !isOther && current.current ? current.current.tail : new LogTail(plane, selected.id, wanted.id, filter);
    const follow = isOther || checkEnd();
    const hasGrown = await tail.read();
    current.current = { revisionId: wanted.id, filter, tail };
    if (!isOther && !hasGrown) return;
    if (follow) afterUpdate.current = toEnd;
    show(tail);
  });
  useLayoutEffect(() => {
    afterUpdate.current?.();
    afterUpdate.current = undefined;
  }, [shown]);

  const readEarlier = async () => {
    const [tail, log] = [current.current?.tail, scroller.current];
    if (!tail || !log) return;
    const below = log.scrollHeight - log.scrollTop;
    try {
      await tail.readEarlier();
    } catch {
      // The next poll shows the error.
      return;
    }
    afterUpdate.current = () => {
      log.scrollTop = log.scrollHeight - below;
    };
    show(tail);
  };
  const change = (part: Partial<LogFilter>) => {
    setFilter({ ...filter, ...part });
    refresh();
  };
  // The elements are kept while the lines are the same, because creating thousands of them takes time.
  const lines = useMemo(() => shown?.lines.map((line) => <Line key={line.id} line={line} />), [shown?.lines]);
  if (!revision) return null;
  return (
    <section class="log-view" aria-label="Log">
      <div class="log-head">
        <h3>
          Log of <code>{revision.id.slice(0, 8)}</code>
        </h3>
        <Filter title="Kind" options={kinds} value={filter.type} onChoose={(type) => change({ type })} />
        <Filter title="Level" options={levels} value={filter.level} onChoose={(level) => change({ level })} />
        <input
          type="search"
          placeholder="Contains…"
          aria-label="Show only lines that contain"
          value={filter.query}
          onInput={(event) => change({ query: event.currentTarget.value })}
        />
      </div>
      <div class="log-box">
        <div
          class="log"
          ref={scroller}
          role="log"
          aria-live="off"
          aria-label="Log lines"
          tabIndex={0}
          onScroll={() => setAtEnd(checkEnd())}
        >
          {shown?.hasEarlier && (
            <button type="button" class="plain" onClick={() => void readEarlier()}>
              Earlier lines
            </button>
          )}
          <div class="lines">{lines}</div>
          {shown?.lines.length === 0 && (
            <p class="empty">{shown.isFiltered ? "No lines match the filter." : "No log output yet."}</p>
          )}
        </div>
        {!isAtEnd && (
          <button type="button" class="newest" onClick={toEnd}>
            ↓ Newest
          </button>
        )}
      </div>
    </section>
  );
}

function Line({ line: { timestamp, level, message } }: { line: LogEntry }) {
  const at = Date.parse(timestamp);
  return (
    <div class="log-line" data-level={level}>
      <time dateTime={timestamp} title={new Date(at).toLocaleString()}>
        {localTime(at)}
      </time>
      <span class="level">{level}</span>
      <Untrusted text={message.replaceAll(terminalCodes, "")} tag="span" class="message" />
    </div>
  );
}

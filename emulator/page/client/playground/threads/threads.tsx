import type { ThreadStatus } from "@langchain/langgraph-sdk";
import { useState } from "preact/hooks";
import { playgroundHref } from "../../data/route";
import { ago } from "../../data/time";
import { Filter } from "../../elements/fields";
import { Untrusted } from "../../elements/untrusted";
import { useAgent, useLoaded } from "../agent-context";
import { contentOf, messagesIn } from "../agent/transcript";
import { ThreadView } from "./thread";

const statuses = [["idle"], ["busy"], ["interrupted"], ["error"]] as const;
const tones: Record<string, string> = { idle: "good", busy: "build", interrupted: "warn", error: "bad" };
const threadsPerPage = 50;

/** Displays a list of threads and the history of the selected one. */
export function Threads({ threadId }: { threadId: string | undefined }) {
  const { client, deploymentId, now } = useAgent();
  const [status, setStatus] = useState("");
  const [text, setText] = useState("");
  const [limit, setLimit] = useState(threadsPerPage);
  const [version, setVersion] = useState(0);
  const { value: threads, problem } = useLoaded(
    () =>
      client.threads.search({
        limit,
        sortBy: "updated_at",
        sortOrder: "desc",
        ...(status !== "" && { status: status as ThreadStatus }),
      }),
    [client, status, limit, version],
  );
  const shown = threads?.filter((thread) => text === "" || JSON.stringify(thread).includes(text));
  return (
    <div class="threads">
      <section class="thread-list" aria-label="Threads">
        <div class="list-head">
          <h3>
            Threads <span class="count">{shown?.length}</span>
          </h3>
          <Filter title="Status" options={statuses} value={status} onChoose={setStatus} />
          <input
            type="search"
            placeholder="Contains…"
            aria-label="Show only threads that contain"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="button" class="small" onClick={() => setVersion(version + 1)}>
            Refresh
          </button>
        </div>
        {problem !== undefined && <p class="problem">{problem}</p>}
        <ul class="items">
          {shown?.map(({ thread_id: id, status: state, updated_at: updated, values }) => (
            <li key={id}>
              <a
                href={playgroundHref(deploymentId, "threads", id)}
                aria-current={id === threadId ? "true" : undefined}
              >
                <span class="dot" aria-hidden="true" data-tone={tones[state]} />
                <Untrusted text={titleOf(values) ?? id} />
                <span class="state">{[id.slice(-8), state].filter(Boolean).join(" · ")}</span>
                <span class="when">{ago(Date.parse(updated), now)}</span>
              </a>
            </li>
          ))}
        </ul>
        {shown?.length === 0 && <p class="empty">No threads.</p>}
        {threads?.length === limit && (
          <button type="button" class="plain" onClick={() => setLimit(limit + threadsPerPage)}>
            More threads
          </button>
        )}
      </section>
      {threadId ? (
        <ThreadView key={threadId} threadId={threadId} onChange={() => setVersion(version + 1)} />
      ) : (
        <p class="empty">Choose a thread to see its state at each checkpoint.</p>
      )}
    </div>
  );
}

/** Returns the text of the first message, if there is one. */
function titleOf(values: unknown): string | undefined {
  const [first] = messagesIn((values ?? {}) as Record<string, unknown>);
  return first && contentOf(first).text;
}

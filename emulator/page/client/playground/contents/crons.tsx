import type { Client, Cron } from "@langchain/langgraph-sdk";
import { useState } from "preact/hooks";
import { nextTimes } from "../../../../../wire/cron-schedule";
import { playgroundHref } from "../../data/route";
import { localTime } from "../../data/time";
import { CopyProgram } from "../../elements/copy-program";
import { Untrusted } from "../../elements/untrusted";
import { cronDeclaration } from "../../program/contents";
import { useTools } from "../../tools";
import { useAgent, useLoaded } from "../agent-context";

const shownTimes = 3;
const shownRuns = 5;

/** Displays the crons of the agent, with their next run times and recent runs. */
export function Crons() {
  const { client } = useAgent();
  const [version, setVersion] = useState(0);
  const { value: crons, problem } = useLoaded(() => client.crons.search({ limit: 100 }), [client, version]);
  const refresh = () => setVersion(version + 1);
  return (
    <section aria-label="Crons">
      <div class="chat-bar">
        <h3>
          Crons <span class="count">{crons?.length}</span>
        </h3>
        <button type="button" class="small" onClick={refresh}>
          Refresh
        </button>
      </div>
      {problem !== undefined && <p class="problem">{problem}</p>}
      {crons?.length === 0 && <p class="empty">No crons.</p>}
      <ul class="cards">
        {crons?.map((cron) => (
          <CronCard key={cron.cron_id} cron={cron} version={version} refresh={refresh} />
        ))}
      </ul>
    </section>
  );
}

function CronCard({ cron, version, refresh }: { cron: Cron; version: number; refresh: () => void }) {
  const { client, assistants, deploymentId, deploymentName, now } = useAgent();
  const { act } = useTools();
  const {
    cron_id: id,
    schedule,
    timezone,
    enabled,
    payload,
    thread_id: threadId,
    assistant_id: assistantId,
  } = cron;
  const { value: runs } = useLoaded(() => lastRuns(client, cron), [client, id, version]);
  const assistant = assistants.find(({ assistant_id }) => assistant_id === assistantId);
  const change = (done: string, action: () => Promise<unknown>) =>
    void act(done, async () => {
      await action();
      refresh();
    });
  const times = enabled ? timesOf(cron, now) : [];
  return (
    <li class="card">
      <div class="chat-bar">
        <h4>
          <code>{schedule}</code> <span class="quiet">{timezone ?? "UTC"}</span>
        </h4>
        <span class="pill" data-tone={enabled ? "good" : "wait"}>
          {enabled ? "enabled" : "paused"}
        </span>
      </div>
      <dl class="facts">
        <div>
          <dt>Assistant</dt>
          <dd>
            <Untrusted text={assistant?.name ?? assistantId} />
          </dd>
        </div>
        <div>
          <dt>Next runs</dt>
          <dd>{times.length > 0 ? times.map((at) => localTime(at, now)).join(" · ") : "none"}</dd>
        </div>
        <div>
          <dt>Last runs</dt>
          <dd>
            {runs?.length === 0 && (threadId ? "none" : "none whose threads were kept")}
            {runs?.map((run) => (
              <a key={run.key} class="link run" href={playgroundHref(deploymentId, "threads", run.threadId)}>
                {`${localTime(run.at, now)} ${run.status}`}
              </a>
            ))}
          </dd>
        </div>
      </dl>
      <details>
        <summary>Request of each run</summary>
        <Untrusted text={JSON.stringify(payload, undefined, 2)} tag="pre" />
      </details>
      <div class="chat-actions">
        <button
          type="button"
          onClick={() =>
            change(enabled ? "The cron is paused." : "The cron is enabled.", () =>
              client.crons.update(id, { enabled: !enabled }),
            )
          }
        >
          {enabled ? "Pause" : "Enable"}
        </button>
        <button type="button" onClick={() => change("A run has started.", () => runNow(client, cron))}>
          Run now
        </button>
        <CopyProgram subject="the cron" declare={() => cronDeclaration(deploymentName, cron, assistants)} />
      </div>
    </li>
  );
}

/** Returns the next run times of a cron. The server reports only the first one. */
function timesOf({ schedule, timezone, end_time: endTime }: Cron, now: number): number[] {
  try {
    return nextTimes(
      { schedule, timezone, endTime: endTime ? Date.parse(endTime) : undefined },
      now,
      shownTimes,
    );
  } catch {
    return [];
  }
}

/**
 * Starts a run with the request of a cron. The run uses the cron's thread or, if there is none, a new thread that is
 * kept.
 */
async function runNow(client: Client, cron: Cron): Promise<void> {
  const { input, config, context, metadata } = cron.payload as {
    input?: Record<string, unknown>;
    config?: { configurable?: Record<string, unknown> };
    context?: unknown;
    metadata?: Record<string, unknown>;
  };
  const marked = { ...metadata, cron_id: cron.cron_id };
  const { cron_id: _, ...configurable } = config?.configurable ?? {};
  const hasSettings = Object.keys(configurable).length > 0;
  const threadId = cron.thread_id ?? (await client.threads.create({ metadata: marked })).thread_id;
  await client.runs.create(threadId, cron.assistant_id, {
    input: input ?? null,
    metadata: marked,
    // Servers reject a request that contains both a configuration and a context.
    ...(hasSettings || !context ? { config: { ...config, configurable } } : { context }),
  });
}

interface LastRun {
  key: string;
  threadId: string;
  at: number;
  status: string;
}

async function lastRuns(client: Client, { cron_id: id, thread_id: threadId }: Cron): Promise<LastRun[]> {
  if (threadId) {
    const runs = await client.runs.list(threadId, { limit: 50 });
    return runs
      .filter(({ metadata }) => metadata?.["cron_id"] === id)
      .slice(0, shownRuns)
      .map((run) => ({ key: run.run_id, threadId, at: Date.parse(run.created_at), status: run.status }));
  }
  const threads = await client.threads.search({
    metadata: { cron_id: id },
    limit: shownRuns,
    sortBy: "created_at",
    sortOrder: "desc",
  });
  return threads.map(({ thread_id: key, created_at, status }) => ({
    key,
    threadId: key,
    at: Date.parse(created_at),
    status,
  }));
}

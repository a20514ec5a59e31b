import type { z } from "@hono/zod-openapi";
import type { RequestContext } from "../request/request-context";
import type { ListParams } from "./schemas";
import { type RunRecord, type Task, taskOf } from "./task";
import { stateInVersion1 } from "./version-1";

const defaultPage = 50;

/** Returns the tasks of an assistant, most recently changed first. */
export async function listTasks(
  context: RequestContext,
  assistantId: string,
  params: z.output<typeof ListParams>,
) {
  const { contextId, status, historyLength = 0, includeArtifacts } = params;
  const contexts = contextId === undefined ? await contextsOf(context, assistantId) : [contextId];
  const found = (await Promise.all(contexts.map((id) => startsIn(context, id, assistantId)))).flat();
  found.sort((a, b) => (a.changedAt < b.changedAt ? 1 : -1));
  const taskAt = ({ run_id: runId, thread_id }: RunRecord) =>
    taskOf(context, { contextId: thread_id, runId }, historyLength);
  // The state is only known for tasks that have been read.
  const fitting: (() => Promise<Task>)[] =
    status === undefined
      ? found.map(
          ({ run }) =>
            () =>
              taskAt(run),
        )
      : (await Promise.all(found.map(({ run }) => taskAt(run))))
          .filter((task) => stateInVersion1(task.status.state) === status)
          .map((task) => () => Promise.resolve(task));
  const pageSize = params.pageSize || defaultPage;
  const offset = Number(params.pageToken ?? 0);
  const tasks = await Promise.all(fitting.slice(offset, offset + pageSize).map((read) => read()));
  return {
    tasks: includeArtifacts ? tasks : tasks.map(withoutArtifacts),
    totalSize: fitting.length,
    pageSize,
    nextPageToken: offset + pageSize < fitting.length ? String(offset + pageSize) : "",
  };
}

interface Start {
  run: RunRecord;
  changedAt: string;
}

async function contextsOf({ client }: RequestContext, assistantId: string): Promise<string[]> {
  const query = { metadata: { assistant_id: assistantId }, limit: 1000 };
  const threads = await client.json<{ thread_id: string }[]>("POST", "/threads/search", query);
  return threads.map(({ thread_id }) => thread_id);
}

/** Returns the runs that started tasks in a context, and the time when a run last changed each task. */
async function startsIn({ client }: RequestContext, threadId: string, assistantId: string): Promise<Start[]> {
  const path = `/threads/${threadId}/runs?limit=1000`;
  const runs = await client.json<RunRecord[]>("GET", path);
  return runs
    .filter(({ metadata, assistant_id }) => metadata?.a2a_task === "" && assistant_id === assistantId)
    .map((run) => {
      const latest = runs.find(({ metadata }) => metadata?.a2a_task === run.run_id) ?? run;
      return { run, changedAt: latest.updated_at };
    });
}

function withoutArtifacts({ artifacts: _, ...task }: Task): Task {
  return task;
}

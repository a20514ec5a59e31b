import { z } from "zod";

/** An assistant, as far as it matters that there is one. */
export const assistantRecord = z.object({ assistant_id: z.string().min(1), graph_id: z.string() });

/** Answer of the `…/count` operations. */
export const count = z.int().min(0);

export const threadRecord = z.object({ thread_id: z.string().min(1) });

/** `pending` and `running` are under way; `success` is the only good end. */
export const runRecord = z.object({ run_id: z.string().min(1), status: z.string().min(1) });

/** What `join` answers: the thread's values or, after a run that failed, its error. */
export const joinedRun = z
  .looseObject({ __error__: z.looseObject({ error: z.string().nullish(), message: z.string().nullish() }) })
  .partial()
  .nullable()
  .catch(null);

/** The state of a thread; servers report the error of a failed run with its task. */
export const threadState = z.object({
  values: z.unknown(),
  tasks: z.array(z.looseObject({ error: z.unknown() })).nullish(),
});

export type RunRecord = z.infer<typeof runRecord>;
export type JoinedRun = z.infer<typeof joinedRun>;
export type ThreadState = z.infer<typeof threadState>;

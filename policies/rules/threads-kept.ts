import { inProduction, resourcePolicy } from "../pack/record";

export const threadsKept = resourcePolicy(["Thread"], {
  name: "threads-kept",
  text: "Threads with conversations must not be deleted with their resource.",
  severity: "high",
  enforcement: "mandatory",
  settings: inProduction,
  *check(thread) {
    yield thread.judge("forceDelete", (forceDelete) =>
      forceDelete === true
        ? { problem: "is true", fix: "Remove it. Threads without runs are deleted even without it." }
        : undefined,
    );
  },
});

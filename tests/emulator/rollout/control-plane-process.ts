/**
 * Process that rolls out one revision in the same way as a control plane. Run it as a program with the job as its
 * argument.
 */
import { createRealRunner } from "../../../emulator/rollout/real";
import type { RolloutJob } from "../../../emulator/rollout/rollout";

const job = JSON.parse(process.argv[2] ?? "") as RolloutJob;

void createRealRunner()
  .roll(
    job,
    {
      status: (status) => console.log(`status ${status}`),
      log: (type, level, message) => console.log(`${type} ${level} ${message}`),
      resolvedCommit: () => undefined,
    },
    new AbortController().signal,
  )
  .then((agent) => console.log(`serving ${agent?.origin} ${agent?.internalApi?.token}`));

import { tmpdir } from "node:os";
import type { Clock } from "../../clock";
import { deadline } from "../../rollout/build/deadline";
import type * as Git from "../../rollout/source/git";
import { repositoryAddress } from "../../rollout/source/repository-address";

const longestMs = 120_000;

/** Returns the current commit of each branch that exists. Rejects if the repository cannot be read. */
export type RemoteBranches = (
  repoUrl: string,
  branches: readonly string[],
  signal: AbortSignal,
) => Promise<Map<string, string>>;

/** Returns a function that reads the branches from the repository itself. */
export function remoteBranches(clock: Clock): RemoteBranches {
  return async (repoUrl, branches, signal) => {
    // Loaded lazily, because simulated rollouts do not need it.
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
    const { supervisedGit } = require("../../rollout/source/git") as typeof Git;
    const repository = repositoryAddress(repoUrl);
    const limit = deadline(clock, longestMs, signal);
    try {
      const names = branches.map((branch) => `refs/heads/${branch}`);
      const git = supervisedGit(tmpdir(), limit.signal, repository);
      const listed = await git.raw(["ls-remote", "--", repository.fetch, ...names]);
      const lines = listed.split("\n").map((line) => line.split("\t"));
      return new Map(
        branches.flatMap((branch) => {
          const commit = lines.find(([, name]) => name === `refs/heads/${branch}`)?.[0];
          return commit ? [[branch, commit] as const] : [];
        }),
      );
    } finally {
      limit.cancel();
    }
  };
}

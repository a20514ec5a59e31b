import type { SourceRepository } from "./source-repository.ts";

/** Holds the statuses; nobody has to look at it, and it shares no commit with the source. */
export const statusBranch = "agentserver/status";

/** Why a commit is not applied, or only in part. */
export interface Reason {
  /** The deployment's resource, if it is about one. */
  deployment?: string;
  /** The policy that is broken. */
  policy?: string;
  /** With `file:line:column` if it is about a place in a manifest. */
  text: string;
}

/** What became of a commit; never a secret. */
export interface Status {
  commit: string;
  /**
   * `pending`: being applied; `success`: what it declares is there; `failure`: it is not, and only another commit
   * helps; `error`: not the commit's fault, tried again at the next turn.
   */
  state: "pending" | "success" | "failure" | "error";
  description: string;
  reasons: Reason[];
  /** ISO 8601. */
  at: string;
}

/** A status without its time. */
export type Verdict = Omit<Status, "at" | "commit">;

const latestFile = "latest.json";
/** How often a status is put on top of one that somebody else has just written. */
const attempts = 3;

/** The branch with `statuses/<commit>.json`, and in `latest.json` the status that was written last. */
export class StatusBranch {
  private readonly repository: SourceRepository;

  constructor(repository: SourceRepository) {
    this.repository = repository;
  }

  /** The status that was written last. */
  async latest(): Promise<Status | undefined> {
    const { [statusBranch]: newest } = await this.repository.heads(statusBranch);
    const text = newest && (await this.repository.read(newest, latestFile));
    return text ? (JSON.parse(text) as Status) : undefined;
  }

  /** Writes a status, unless the last one says the same. */
  async write(commit: string, verdict: Verdict): Promise<void> {
    const last = await this.latest();
    if (last && same(last, { ...verdict, commit, at: last.at })) return;
    const status: Status = { commit, ...verdict, at: new Date().toISOString() };
    const text = `${JSON.stringify(status, undefined, 2)}\n`;
    const files = { [`statuses/${commit}.json`]: text, [latestFile]: text };
    const message = `${status.state} ${commit.slice(0, 8)}: ${status.description}`;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const { [statusBranch]: newest } = await this.repository.heads(statusBranch);
      if (newest) await this.repository.fetch(newest);
      if (await this.repository.commitTo(statusBranch, newest, files, message)) return;
    }
    throw new Error(`The branch ${statusBranch} changes all the time: is another controller at work?`);
  }
}

function same(one: Status, other: Status): boolean {
  const { commit, state, description, reasons, at } = other;
  return JSON.stringify({ commit, state, description, reasons, at }) === JSON.stringify(one);
}

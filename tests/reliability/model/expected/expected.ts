import type { Awaited, Kept } from "../record/kept";
import type { Maker } from "../record/ledger";
import type { Settings, Source } from "../world/plane-view";

/** Expected actions of an `up` for a resource. */
export type Expected =
  /** The `up` does not send any requests. */
  | { kind: "nothing" }
  /** The `up` is rejected with this error code, without any changes. */
  | { kind: "refused"; code: string; deletes?: string }
  | ExpectedChange;

/** A deployment that is created or changed, or whose rollout the provider waits for. */
export interface ExpectedChange {
  kind: "change";
  /** ID of the existing deployment, or `undefined` if one is created. */
  id?: string;
  /** ID of the existing deployment that the new deployment replaces. */
  deletes?: string;
  /** Settings of the deployment after the `up`. */
  settings: OwnedSettings;
  /** Source of the new revision, or `undefined` if no revision is created. */
  revision?: Source;
  /** Revision to wait for if no revision is created. */
  awaited?: Awaited;
  /** Newest revision at the time of the read that precedes the change. */
  found?: string;
  /** Facts that the stack knows about earlier rollouts. */
  known: Pick<Kept, "ended" | "good" | "unverified">;
}

/** Settings of a deployment, with the resource that its ownership tag identifies. */
export interface OwnedSettings extends Omit<Settings, "tag"> {
  owner: Maker | undefined;
  /** Number of revisions from interrupted creates, according to the ownership tag. */
  creates: number;
}

import type { Awaited, Kept } from "../record/kept";
import type { Maker } from "../record/ledger";
import type { Settings, Source } from "../world/plane-view";

/** Expected actions of an `up` for one resource. */
export type Expected =
  /** No request at all. */
  | { kind: "nothing" }
  /** It is rejected without any change, with this error code. */
  | { kind: "refused"; code: string; deletes?: string }
  | ExpectedChange;

/** A deployment that is created, changed, or only awaited. */
export interface ExpectedChange {
  kind: "change";
  /** The existing deployment; `undefined` if one is created. */
  id?: string;
  /** The deployment that it replaces. */
  deletes?: string;
  /** The deployment afterwards. */
  settings: OwnedSettings;
  /** Source of the revision that is created; `undefined` if there is none. */
  revision?: Source;
  /** The revision to wait for if none is created. */
  awaited?: Awaited;
  /** The newest revision at the read before the change. */
  found?: string;
  /** Knowledge about earlier rollouts. */
  known: Pick<Kept, "ended" | "good" | "unverified">;
}

/** Settings of a deployment, with the resource of its ownership tag. */
export interface OwnedSettings extends Omit<Settings, "tag"> {
  owner: Maker | undefined;
  /** Number of revisions of interrupted creates, as in the tag. */
  creates: number;
}

import type { Awaited, Kept } from "../record/kept";
import type { Maker } from "../record/ledger";
import type { Settings, Source } from "../world/plane-view";

/** What a resource's part of an `up` asks for. */
export type Expected =
  /** Nothing at all, not even a look at the control plane. */
  | { kind: "nothing" }
  /** It cannot be done, and nothing is changed: the code that says so. */
  | { kind: "refused"; code: string; deletes?: string }
  | ExpectedChange;

/** A deployment that is made, or changed, or only waited for. */
export interface ExpectedChange {
  kind: "change";
  /** The deployment that is there; nothing where one is to be made. */
  id?: string;
  /** The deployment whose place it takes. */
  deletes?: string;
  /** What the deployment is like after it. */
  settings: OwnedSettings;
  /** What the revision is built from that is made; nothing where none is. */
  revision?: Source;
  /** The revision that is to be waited for where none is made. */
  awaited?: Awaited;
  /** The newest revision at the look before the change. */
  found?: string;
  /** What is known of earlier rollouts. */
  known: Pick<Kept, "ended" | "good" | "unverified">;
}

/** What a deployment is like, with the resource that its ownership tag stands for. */
export interface OwnedSettings extends Omit<Settings, "tag"> {
  owner: Maker | undefined;
  /** How many revisions were made by creates that did not come to their end, as the tag counts them. */
  creates: number;
}

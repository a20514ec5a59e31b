import type { InsideKind } from "../../../sdk/manifests/inside-format";
import type { ExportedDeployment } from "../exported-deployment";
import type { ExportedNames } from "../names";

/** What of a deployment's contents is exported. */
export const contentKinds = ["assistants", "crons", "store"] as const;

export type ContentKind = (typeof contentKinds)[number];

/** An assistant, a cron or the items of a namespace, as they are exported. */
export interface ExportedContent extends ExportedNames {
  kind: InsideKind;
  /** The deployment that it is in. */
  deployment: ExportedDeployment;
  /** What a reader knows it by at the agent server. */
  title: string;
  /** All inputs but where it is. */
  inputs: Record<string, unknown>;
  /** Of a cron: the assistant among those that are exported. */
  assistant?: ExportedContent;
  /** What a reader has to know about it. */
  notices: string[];
}

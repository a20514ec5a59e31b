import { fc } from "../../../properties";
import type { DialectName } from "../../../../emulator/index";
import type { ServerLimits } from "../../../provider/server-limits";

/** Properties of the control plane of a sequence. */
export interface Server {
  dialect: DialectName;
  /** Number of seconds for which a deleted deployment keeps its name. */
  lingerSeconds: number;
  /** True if the provider must detect the dialect. */
  detects: boolean;
  /** Format in which the control plane hides the values of secrets. */
  secrets?: "omitted" | "names" | "masked";
  /**
   * Fields that the control plane omits from records: settings, the source of revisions, or everything that the
   * interface document does not guarantee.
   */
  hides?: "settings" | "source" | "everything";
  /** If set, the control plane reports the URL only while the newest revision is serving. */
  url?: "once settled";
  pageCap?: number;
  ignoresFilters?: boolean;
  /** Response for the redeploy operation, if the control plane does not support the operation. */
  redeploy?: 404 | 501;
  logs?: 404 | 501;
}

const hidden = {
  settings: ["source_config.build_on_push", "source_config.resource_spec"],
  source: ["source_revision_config"],
  // The remaining fields are those that the interface document guarantees: IDs, statuses, and times.
  everything: [
    ...["name", "display_name", "source", "source_config", "source_revision_config", "secrets", "tenant_id"],
    ...["url", "active_revision_id", "status_message"],
  ],
} as const;

/** Returns the limits of a control plane, for requests and responses. */
export function limitsOf({ secrets, hides, url, pageCap, ignoresFilters, ...server }: Server): ServerLimits {
  const lack = (method: string, path: RegExp, status: number | undefined) =>
    status === undefined ? [] : [{ method, path, status }];
  return {
    secrets,
    hides: hides && hidden[hides],
    url,
    pageCap,
    ignoresFilters,
    lacks: [
      ...lack("POST", /\/revisions\/[^/]+\/redeploy$/, server.redeploy),
      ...lack("GET", /\/revisions\/[^/]+\/logs$/, server.logs),
    ],
  };
}

const missing = [404, 501] as const;

/** One or two limits of a control plane. */
const limits = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      secrets: fc.constantFrom("omitted" as const, "names" as const, "masked" as const),
    }),
  },
  fc.record({ hides: fc.constantFrom("settings" as const, "source" as const) }),
  // Without these fields, a deployment that is being deleted looks like any other.
  fc.record({ hides: fc.constant("everything" as const), lingerSeconds: fc.constant(0) }),
  { weight: 2, arbitrary: fc.record({ url: fc.constant("once settled" as const) }) },
  { weight: 2, arbitrary: fc.record({ pageCap: fc.constantFrom(1, 2, 3) }) },
  fc.record({ ignoresFilters: fc.constant(true) }),
  fc.record({ redeploy: fc.constantFrom(...missing), logs: fc.constantFrom(...missing) }),
);

/** Returns arbitrary control planes of a dialect. Half of them support and report everything. */
export const servers = (dialect: DialectName): fc.Arbitrary<Server> =>
  fc
    .tuple(
      fc.record({
        dialect: fc.constant(dialect),
        lingerSeconds: fc.constantFrom(0, 20),
        // The control plane needs a long time to create the document that identifies the dialect.
        detects: fc.constantFrom(false, false, false, true),
      }),
      fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.tuple(limits) },
        { weight: 1, arbitrary: fc.tuple(limits, limits) },
      ),
    )
    .map(([server, all]) => Object.assign({}, server, ...all) as Server);

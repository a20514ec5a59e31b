/** Differences from the local control plane that the published API allows. */
export interface ServerLimits {
  /** Format in which the control plane reports secrets: no list, names only, or fully or partly masked values. */
  secrets?: "omitted" | "names" | "masked" | "partly masked";
  /**
   * Mask that replaces a value. It may resemble an ordinary value.
   * @default "********"
   */
  mask?: string;
  /** True if revisions from a repository report their built image in every dialect. */
  reportsImages?: boolean;
  /** Fields that the control plane omits from records, such as `source_config.custom_url`. */
  hides?: readonly string[];
  /** If set, the control plane reports the URL of a deployment only while the newest revision is serving. */
  url?: "once settled";
  /** Maximum number of rows per page, regardless of the request. */
  pageCap?: number;
  /** True if the control plane ignores filters and returns every deployment. */
  ignoresFilters?: boolean;
  /** Operations that the control plane does not support, and its responses to them. */
  lacks?: readonly Lack[];
  /**
   * Delay in milliseconds before the next write with this method is processed, and the response that is sent before
   * that: 504, or none.
   */
  late?: { method: string; afterMs: number; answer: 504 | "none" };
  /** IDs of revisions whose records no longer exist. */
  pruned?: ReadonlySet<string>;
}

/** An operation that a control plane does not support. */
interface Lack {
  method: string;
  path: RegExp;
  status: number;
  detail?: string;
}

type Json = Record<string, unknown>;

/**
 * Returns the response of a control plane with these limits, or `undefined` if the local control plane should respond.
 */
export function refusalOf(
  { lacks = [], pruned }: ServerLimits,
  method: string,
  path: string,
): { status: number; body: { detail: string } } | undefined {
  const lack = lacks.find((one) => one.method === method && one.path.test(path));
  if (lack) return { status: lack.status, body: { detail: lack.detail ?? "Not available here." } };
  const [, revision = ""] = /\/revisions\/([^/]+)/.exec(path) ?? [];
  if (pruned?.has(revision)) return { status: 404, body: { detail: `Revision ID ${revision} not found.` } };
  return undefined;
}

/** Applies the limits to a query before it is sent to the local control plane. */
export function limitedQuery(
  { pageCap, ignoresFilters }: ServerLimits,
  query: Readonly<Record<string, string>>,
): Record<string, string> {
  const limited = { ...query };
  if (ignoresFilters) delete limited["name_contains"];
  const asked = query["limit"];
  if (pageCap !== undefined && (asked === undefined || Number(asked) > pageCap))
    limited["limit"] = String(pageCap);
  return limited;
}

/** Returns a record, or a list of records, as reported by a control plane with these limits. */
export function limitedAnswer(limits: ServerLimits, body: Json): Json {
  const { resources } = body;
  if (!Array.isArray(resources)) return limitedRecord(limits, body);
  const rows = (resources as Json[]).filter(({ id }) => !limits.pruned?.has(String(id)));
  return { ...body, resources: rows.map((row) => limitedRecord(limits, row)) };
}

function limitedRecord(limits: ServerLimits, row: Json): Json {
  const record = structuredClone(row);
  const isBehind = record["active_revision_id"] !== record["latest_revision_id"];
  if (limits.url === "once settled" && isBehind && "url" in record) record["url"] = null;
  if (Array.isArray(record["secrets"])) limitSecrets(limits, record);
  if (limits.reportsImages) addImage(record);
  for (const path of limits.hides ?? []) {
    const [group = "", field] = path.split(".");
    if (field === undefined) delete record[group];
    else delete (record[group] as Json | undefined)?.[field];
  }
  return record;
}

function limitSecrets({ secrets, mask = "********" }: ServerLimits, record: Json): void {
  const all = record["secrets"] as { name: string; value: string }[];
  if (secrets === "omitted") delete record["secrets"];
  if (secrets === "names") record["secrets"] = all.map(({ name }) => ({ name }));
  if (secrets === "masked") record["secrets"] = all.map(({ name }) => ({ name, value: mask }));
  if (secrets === "partly masked")
    record["secrets"] = all.map(({ name, value }) => ({ name, value: value.slice(0, 2) + mask }));
}

/** Adds the image that was built from a repository to the record of a revision, or to that of a deployment. */
function addImage(record: Json): void {
  const source = record["source_revision_config"] as Json | null | undefined;
  if (record["source"] !== "github" || !source?.["repo_ref"]) return;
  source["image_uri"] ??= `registry.example.com/agents@sha256:${"d".repeat(64)}`;
}

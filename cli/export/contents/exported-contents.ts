import { defaultAssistantOf } from "../../../provider/assistant/default-assistant";
import { assistantInputs } from "../../../provider/assistant/inputs";
import { fromWire as assistantFromWire } from "../../../provider/assistant/mapping";
import type { AssistantRecord, CronRecord, StoreItemRecord } from "../../../provider/agent-server/wire";
import { cronInputs } from "../../../provider/cron/inputs";
import { fromWire as cronFromWire } from "../../../provider/cron/mapping";
import { withoutCredentials } from "../../../provider/text/address-credentials";
import { holderIn, ownerOf } from "../../../provider/resource/ownership/owner-tag";
import { storeItemsInputs } from "../../../provider/store-items/inputs";
import type { ExportedDeployment } from "../exported-deployment";
import type { ExportedWorkspace } from "../exported-workspace";
import { namesFor } from "../names";
import type { ContentKind, ExportedContent } from "./exported-content";
import { type FoundContents, mostItems } from "./read-contents";

type LeftOut = ExportedWorkspace["leftOut"];
type Draft = Omit<ExportedContent, "resource" | "variable" | "file" | "assistant"> & {
  /** What its names are made of. */
  name: string;
  /** Of an assistant: its id. Of a cron: that of its assistant. */
  assistantId?: string | undefined;
};

/** Which contents are exported. */
interface Selection {
  kinds: readonly ContentKind[];
  /** Whether those that another Pulumi resource owns are taken over. */
  includeOwned: boolean;
}

/** The workspace with what is in its deployments; sorted, so that the same workspace comes out the same. */
export function withContents(
  workspace: ExportedWorkspace,
  found: ReadonlyMap<ExportedDeployment, FoundContents | string>,
  { kinds, includeOwned }: Selection,
): ExportedWorkspace {
  const leftOut: LeftOut = [...workspace.leftOut];
  const drafts: Draft[] = [];
  for (const [deployment, contents] of [...found].sort(byDeployment)) {
    const leave = (what: string, id: string, reason: string) =>
      leftOut.push({ name: `${what} in ${deployment.name}`, id, reason });
    if (typeof contents === "string") {
      leave("everything", deployment.id, contents);
      continue;
    }
    const keep = (draft: Draft, id: string, fault: string | undefined) => {
      if (fault === undefined) drafts.push(draft);
      else leave(draft.title, id, fault);
    };
    const owned = (metadata: AssistantRecord["metadata"]) =>
      !includeOwned && ownerOf(metadata) !== undefined
        ? `belongs to ${holderIn(metadata)}; --include-owned takes it over`
        : undefined;
    if (kinds.includes("assistants"))
      for (const record of contents.assistants.filter(isMade)) {
        const draft = assistantDraft(deployment, record);
        keep(draft, record.assistant_id, owned(record.metadata) ?? faultIn(assistantInputs, draft));
      }
    for (const record of contents.crons) {
      const draft = cronDraft(deployment, record, contents.assistants);
      keep(draft, record.cron_id, owned(record.metadata) ?? faultIn(cronInputs, draft));
    }
    if (contents.items.length > mostItems)
      leave("the store", deployment.id, `holds more than ${mostItems} items`);
    else
      for (const draft of storeDrafts(deployment, contents.items))
        keep(draft, deployment.id, faultIn(storeItemsInputs, draft));
  }
  return { ...workspace, leftOut, contents: named(drafts, workspace.namesInUse) };
}

/** Assistants that somebody made, or made another version of: each graph has one by itself. */
function isMade({ metadata, version, graph_id: graph, assistant_id: id }: AssistantRecord): boolean {
  const isOfGraph = metadata?.["created_by"] === "system" || id === defaultAssistantOf(graph);
  return !isOfGraph || (version ?? 1) > 1;
}

function assistantDraft(deployment: ExportedDeployment, record: AssistantRecord): Draft {
  const { graph, assistantId, ...rest } = assistantFromWire(record);
  const title = record.name || record.assistant_id;
  return {
    kind: "Assistant",
    deployment,
    name: `${deployment.resource}-${record.name || graph}`,
    assistantId,
    title: `assistant ${title}`,
    inputs: { graph, assistantId, ...rest, metadata: ownMetadata(rest.metadata), adopt: "always" },
    notices: [],
  };
}

/** What the server says of itself is not the user's to say. */
function ownMetadata(metadata: Record<string, unknown> | null | undefined): object | undefined {
  const { created_by: _, ...own } = metadata ?? {};
  return Object.keys(own).length > 0 ? own : undefined;
}

function cronDraft(
  deployment: ExportedDeployment,
  record: CronRecord,
  assistants: readonly AssistantRecord[],
): Draft {
  const { multitaskStrategy, onRunCompleted, ...inputs } = cronFromWire(record);
  const { thread_id: threadId } = record;
  const assistant = assistants.find(({ assistant_id: id }) => id === record.assistant_id);
  const webhook = inputs.webhook ?? "";
  return {
    kind: "Cron",
    deployment,
    name: `${deployment.resource}-${assistant?.name || assistant?.graph_id || "cron"}-cron`,
    assistantId: record.assistant_id ?? undefined,
    title: `cron ${record.schedule ?? record.cron_id}`,
    inputs: {
      ...inputs,
      ...(threadId ? { threadId, multitaskStrategy } : { onRunCompleted }),
      cronId: record.cron_id,
      adopt: "always",
    },
    notices:
      withoutCredentials(webhook) === webhook
        ? []
        : ["Its webhook holds a user name, and maybe a password or token, in clear: do not share this file."],
  };
}

function storeDrafts(deployment: ExportedDeployment, items: readonly StoreItemRecord[]): Draft[] {
  const byNamespace = new Map<string, StoreItemRecord[]>();
  for (const item of [...items].sort(byKey)) {
    const place = JSON.stringify(item.namespace);
    byNamespace.set(place, [...(byNamespace.get(place) ?? []), item]);
  }
  return [...byNamespace.values()].map((group): Draft => {
    const { namespace } = group[0]!;
    return {
      kind: "StoreItems",
      deployment,
      name: `${deployment.resource}-${namespace.join("-")}`,
      title: `store items in ${namespace.join(".")}`,
      inputs: {
        namespace,
        items: Object.fromEntries(group.map(({ key, value }) => [key, value])),
        prune: false,
        adopt: "always",
      },
      notices: [],
    };
  });
}

/** Why a resource would refuse it, if it would. */
function faultIn(
  schema: {
    safeParse: (value: unknown) => { error?: { issues: { path: PropertyKey[]; message: string }[] } };
  },
  { deployment, inputs }: Draft,
): string | undefined {
  const given = JSON.parse(JSON.stringify({ ...inputs, deployment: { id: deployment.id } })) as unknown;
  const issue = schema.safeParse(given).error?.issues[0];
  return issue && `${issue.path.map(String).join(".")} ${issue.message}`;
}

function named(drafts: readonly Draft[], namesInUse: readonly string[]): ExportedContent[] {
  const kinds = ["Assistant", "Cron", "StoreItems"];
  const sorted = [...drafts].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  const names = namesFor([...namesInUse, ...sorted.map(({ name }) => name)]).slice(namesInUse.length);
  const all = sorted.map(({ assistantId, name: _, ...draft }, at) => {
    const content: ExportedContent = { ...draft, ...names[at]! };
    return { content, assistantId };
  });
  for (const { content, assistantId } of all) {
    if (content.kind !== "Cron") continue;
    const assistant = all.find(
      (one) =>
        one.content.kind === "Assistant" &&
        one.content.deployment === content.deployment &&
        one.assistantId === assistantId,
    );
    if (assistant) content.assistant = assistant.content;
  }
  return all.map(({ content }) => content);
}

type Entry = [ExportedDeployment, unknown];

function byDeployment([one]: Entry, [other]: Entry): number {
  return one.resource < other.resource ? -1 : 1;
}

function byKey(one: StoreItemRecord, other: StoreItemRecord): number {
  const [first, second] = [one, other].map(({ namespace, key }) => JSON.stringify([namespace, key]));
  return first! < second! ? -1 : 1;
}

import { defaultAssistantOf } from "../../../provider/assistant/default-assistant";
import { assistantInputs } from "../../../provider/assistant/inputs";
import { fromWire as assistantFromWire } from "../../../provider/assistant/mapping";
import type { AssistantRecord, CronRecord, StoreItemRecord } from "../../../provider/agent-server/wire";
import { cronInputs } from "../../../provider/cron/inputs";
import { fromWire as cronFromWire } from "../../../provider/cron/mapping";
import { withoutCredentials } from "../../../provider/text/address-credentials";
import { holderIn, ownerOf } from "../../../provider/resource/ownership/owner-tag";
import { storeItemsInputs } from "../../../provider/store-items/inputs";
import type { ContentKind, ExportedContent, ExportedDeployment, ExportedWorkspace } from "../model";
import { namesFor } from "../names";
import { type FoundContents, maxItems } from "./read-contents";

type Omitted = ExportedWorkspace["omitted"];
type Draft = Omit<ExportedContent, "resource" | "variable" | "file" | "assistant"> & {
  /** Name from which the exported names are derived. */
  name: string;
  /** ID of the exported assistant or, for a cron, of the assistant that the cron runs. */
  assistantId?: string | undefined;
};

/** Contents to export. */
interface Selection {
  kinds: readonly ContentKind[];
  /** True to adopt contents that another Pulumi resource owns. */
  includeOwned: boolean;
}

/** Adds the contents of the deployments to the workspace, sorted so that repeated exports are identical. */
export function addContents(
  workspace: ExportedWorkspace,
  found: ReadonlyMap<ExportedDeployment, FoundContents | string>,
  { kinds, includeOwned }: Selection,
): ExportedWorkspace {
  const omitted: Omitted = [...workspace.omitted];
  const drafts: Draft[] = [];
  for (const [deployment, contents] of [...found].sort(byDeployment)) {
    const omit = (what: string, id: string, reason: string) =>
      omitted.push({ name: `${what} in ${deployment.name}`, id, reason });
    if (typeof contents === "string") {
      omit("all contents", deployment.id, contents);
      continue;
    }
    const keep = (draft: Draft, id: string, error: string | undefined) => {
      if (error === undefined) drafts.push(draft);
      else omit(draft.title, id, error);
    };
    const owned = (metadata: AssistantRecord["metadata"]) =>
      !includeOwned && ownerOf(metadata) !== undefined
        ? `is owned by ${holderIn(metadata)}; pass --include-owned to adopt it`
        : undefined;
    if (kinds.includes("assistants"))
      for (const record of contents.assistants.filter(isCustomized)) {
        const draft = assistantDraft(deployment, record);
        keep(draft, record.assistant_id, owned(record.metadata) ?? validationError(assistantInputs, draft));
      }
    for (const record of contents.crons) {
      const draft = cronDraft(deployment, record, contents.assistants);
      keep(draft, record.cron_id, owned(record.metadata) ?? validationError(cronInputs, draft));
    }
    if (contents.items.length > maxItems)
      omit("store", deployment.id, `contains more than ${maxItems} items`);
    else
      for (const draft of storeDrafts(deployment, contents.items))
        keep(draft, deployment.id, validationError(storeItemsInputs, draft));
  }
  return { ...workspace, omitted, contents: assignNames(drafts, workspace.namesInUse) };
}

/** True if a user created or changed the assistant. The default assistant of each graph is not exported. */
function isCustomized({ metadata, version, graph_id: graph, assistant_id: id }: AssistantRecord): boolean {
  const isDefault = metadata?.["created_by"] === "system" || id === defaultAssistantOf(graph);
  return !isDefault || (version ?? 1) > 1;
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
    inputs: { graph, assistantId, ...rest, adopt: "always" },
    notices: [],
  };
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
        : [
            "Its webhook URL contains a user name and possibly a password or token in plain text. Do not share this file.",
          ],
  };
}

function storeDrafts(deployment: ExportedDeployment, items: readonly StoreItemRecord[]): Draft[] {
  const byNamespace = new Map<string, StoreItemRecord[]>();
  for (const item of [...items].sort(byKey)) {
    const key = JSON.stringify(item.namespace);
    byNamespace.set(key, [...(byNamespace.get(key) ?? []), item]);
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

/** Returns the first validation error of the inputs, if any. */
function validationError(
  schema: {
    safeParse: (value: unknown) => { error?: { issues: { path: PropertyKey[]; message: string }[] } };
  },
  { deployment, inputs }: Draft,
): string | undefined {
  const args = JSON.parse(JSON.stringify({ ...inputs, deployment: { id: deployment.id } })) as unknown;
  const issue = schema.safeParse(args).error?.issues[0];
  return issue && `${issue.path.map(String).join(".")} ${issue.message}`;
}

function assignNames(drafts: readonly Draft[], namesInUse: readonly string[]): ExportedContent[] {
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

import type { Assistant, AssistantVersion, Config, Metadata } from "@langchain/langgraph-sdk";
import { useState } from "preact/hooks";
import { playgroundHref } from "../../data/route";
import { ago } from "../../data/time";
import { CopyProgram } from "../../elements/copy-program";
import { DifferenceTable } from "../../elements/difference-table";
import { DialogButton, Field, type Values } from "../../elements/fields";
import { TextArea } from "../../elements/text-area";
import { Untrusted } from "../../elements/untrusted";
import { assistantDeclaration } from "../../program/contents";
import { useTools } from "../../tools";
import { useAgent, useLoaded } from "../agent-context";
import { jsonOf } from "../agent/input-fields";
import { jsonDifferences } from "../agent/json-difference";

/** Displays the assistants of the agent, and the versions of the selected one. */
export function Assistants({ assistantId }: { assistantId: string | undefined }) {
  const { assistants, assistant, deploymentId, now } = useAgent();
  const shown = assistants.find(({ assistant_id: id }) => id === assistantId) ?? assistant;
  return (
    <div class="threads">
      <section aria-label="Assistants">
        <h3>
          Assistants <span class="count">{assistants.length}</span>
        </h3>
        <ul class="items">
          {assistants.map((one) => (
            <li key={one.assistant_id}>
              <a
                href={playgroundHref(deploymentId, "assistants", one.assistant_id)}
                aria-current={one === shown ? "true" : undefined}
              >
                <span class="dot" aria-hidden="true" data-tone="good" />
                <Untrusted text={one.name} />
                <span class="state">{`${one.graph_id} · version ${one.version}`}</span>
                <span class="when">{ago(Date.parse(one.updated_at), now)}</span>
              </a>
            </li>
          ))}
        </ul>
      </section>
      <AssistantDetails key={`${shown.assistant_id} ${shown.updated_at}`} assistant={shown} />
    </div>
  );
}

function AssistantDetails({ assistant }: { assistant: Assistant }) {
  const { client, reload, deploymentName } = useAgent();
  const { act } = useTools();
  const { assistant_id: id, version: latest } = assistant;
  const [chosen, choose] = useState<number>();
  const { value: versions, problem } = useLoaded(
    () => client.assistants.getVersions(id, { limit: 100 }),
    [client, id, latest, assistant.updated_at],
  );
  const change = (done: string, action: () => Promise<unknown>) =>
    act(done, async () => {
      await action();
      choose(undefined);
      reload();
    });
  const edit = ({ name, description, config, context, metadata }: Values) =>
    change("A version of the assistant was created.", async () => {
      const parsed = (text: Values[string], title: string) => jsonOf(String(text ?? "{}"), title);
      await client.assistants.update(id, {
        name: String(name),
        ...(description !== undefined && { description: String(description) }),
        config: parsed(config, "Config") as Config,
        // Servers reject a request that contains both a configuration and a context.
        ...(context !== undefined && context !== "{}" && { context: parsed(context, "Context") }),
        metadata: parsed(metadata, "Metadata") as Metadata,
      });
    });
  const selected = versions?.find(({ version }) => version === (chosen ?? latest));
  const previous = versions?.find(({ version }) => version < (selected?.version ?? 0));
  const found = selected ? jsonDifferences(previous && settingsOf(previous), settingsOf(selected)) : [];
  return (
    <section class="thread" aria-label="Assistant">
      <div class="chat-bar">
        <h3>
          <Untrusted text={assistant.name} /> <code>{id}</code>
        </h3>
        <DialogButton
          text="Edit…"
          title="Create a version"
          submit="Save"
          onSubmit={(values) => void edit(values)}
        >
          <p class="quiet">If a Pulumi program manages this assistant, its next update reverts the change.</p>
          <Field title="Name" name="name" defaultValue={assistant.name} required />
          <Field title="Description" name="description" defaultValue={assistant.description} />
          <TextArea title="Config as JSON" name="config" rows={4} defaultValue={jsonText(assistant.config)} />
          <TextArea
            title="Context as JSON"
            name="context"
            rows={3}
            defaultValue={jsonText(assistant.context)}
          />
          <TextArea
            title="Metadata as JSON"
            name="metadata"
            rows={3}
            defaultValue={jsonText(assistant.metadata)}
          />
        </DialogButton>
        <CopyProgram
          subject="the assistant"
          declare={() => assistantDeclaration(deploymentName, assistant)}
        />
      </div>
      {problem !== undefined && <p class="problem">{problem}</p>}
      {versions && (
        <div class="checkpoints">
          <ol aria-label="Versions" class="checkpoint-list">
            {versions.map(({ version }) => (
              <li key={version}>
                <button
                  type="button"
                  aria-pressed={version === selected?.version}
                  onClick={() => choose(version)}
                >
                  Version {version}
                  {version === latest && " (latest)"}
                </button>
              </li>
            ))}
          </ol>
          {selected && (
            <div class="checkpoint">
              <button
                type="button"
                disabled={selected.version === latest}
                onClick={() =>
                  void change(`Version ${selected.version} is the latest.`, () =>
                    client.assistants.setLatest(id, selected.version),
                  )
                }
              >
                Set as latest
              </button>
              <h4>
                {previous ? `Changes since version ${previous.version}` : "Values of the first version"}
              </h4>
              {found.length === 0 ? (
                <p class="quiet">The values are the same.</p>
              ) : (
                <DifferenceTable title="Changes" subject="Value" differences={found} />
              )}
              <h4>Values</h4>
              <Untrusted text={jsonText(settingsOf(selected))} tag="pre" />
            </div>
          )}
        </div>
      )}
    </section>
  );
}

function settingsOf({ name, description, graph_id, config, context, metadata }: AssistantVersion): object {
  return { name, description, graph_id, config, context, metadata };
}

function jsonText(value: unknown): string {
  return JSON.stringify(value ?? {}, undefined, 2);
}

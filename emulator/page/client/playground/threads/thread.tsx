import type { Checkpoint, ThreadState } from "@langchain/langgraph-sdk";
import { useState } from "preact/hooks";
import { playgroundHref } from "../../data/route";
import { localTime } from "../../data/time";
import { CopyProgram } from "../../elements/copy-program";
import { DialogButton } from "../../elements/fields";
import { DifferenceTable } from "../../elements/difference-table";
import { Untrusted } from "../../elements/untrusted";
import { threadDeclaration } from "../../program/contents";
import { useTools } from "../../tools";
import { useAgent, useLoaded } from "../agent-context";
import { jsonDifferences } from "../agent/json-difference";
import { jsonOf } from "../agent/input-fields";

type State = ThreadState<Record<string, unknown>>;
/** State of a thread; the server may omit any part of it. */
type Reported = Partial<State>;

const mostCheckpoints = 100;

/**
 * Displays the checkpoints of a thread, newest first, with the state at the selected checkpoint and the changes that it
 * made.
 */
export function ThreadView({ threadId, onChange }: { threadId: string; onChange: () => void }) {
  const { client, deploymentId, deploymentName } = useAgent();
  const { act } = useTools();
  const [chosenId, choose] = useState<string>();
  const [version, setVersion] = useState(0);
  const { value: history, problem } = useLoaded(
    () => client.threads.getHistory<Record<string, unknown>>(threadId, { limit: mostCheckpoints }),
    [client, threadId, version],
  );
  if (problem !== undefined) return <p class="problem">{problem}</p>;
  if (!history) return <p class="empty">Loading the history…</p>;
  const chosen = history.find((state) => idOf(state) === chosenId) ?? history[0];
  const edit = (checkpoint: Checkpoint, text: string, asNode: string) =>
    act("A checkpoint was added to the state.", async () => {
      const values = jsonOf(text, "Values") as Record<string, unknown>;
      await client.threads.updateState(threadId, { values, checkpoint, ...(asNode !== "" && { asNode }) });
      choose(undefined);
      setVersion(version + 1);
      onChange();
    });
  return (
    <section class="thread" aria-label="Thread">
      <div class="chat-bar">
        <h3>
          Thread <code>{threadId}</code>
        </h3>
        <a class="link" href={playgroundHref(deploymentId, "chat", threadId)}>
          Open in chat
        </a>
        <CopyProgram
          subject="the thread"
          declare={async () => threadDeclaration(deploymentName, await client.threads.get(threadId))}
        />
      </div>
      {!chosen && <p class="empty">This thread has no checkpoints.</p>}
      {chosen && (
        <div class="checkpoints">
          <ol aria-label="Checkpoints" class="checkpoint-list">
            {history.map((state) => (
              <li key={idOf(state)}>
                <button type="button" aria-pressed={state === chosen} onClick={() => choose(idOf(state))}>
                  <span>{titleOf(state)}</span>
                  <span class="quiet small">
                    {state.created_at ? localTime(Date.parse(state.created_at), Date.now()) : ""}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          <CheckpointView
            state={chosen}
            parent={history.find((state) => idOf(state) === chosen.parent_checkpoint?.checkpoint_id)}
          >
            <a class="link" href={playgroundHref(deploymentId, "chat", threadId, idOf(chosen))}>
              Fork from here
            </a>
            <DialogButton
              text="Edit state…"
              title="Add a checkpoint with other values"
              submit="Save"
              onSubmit={({ values, node }) =>
                void edit(chosen.checkpoint, String(values ?? "{}"), String(node ?? ""))
              }
            >
              <p class="quiet">
                The reducers of the graph apply the values as if a node had returned them. The current state
                stays in the history.
              </p>
              <label>
                Values as JSON
                <textarea
                  key={idOf(chosen)}
                  name="values"
                  rows={10}
                  spellcheck={false}
                  defaultValue={JSON.stringify(chosen.values, undefined, 2)}
                  required
                />
              </label>
              <label>
                Node that returns the values
                <input name="node" placeholder="the last node" />
              </label>
            </DialogButton>
          </CheckpointView>
        </div>
      )}
    </section>
  );
}

interface CheckpointViewProps {
  state: State;
  parent: State | undefined;
  children: preact.ComponentChildren;
}

/** Displays the state at a checkpoint, and the difference from the state at its parent. */
function CheckpointView({ state, parent, children }: CheckpointViewProps) {
  const { values = {}, next = [], tasks = [] } = state as Reported;
  const found = jsonDifferences(parent?.values ?? {}, values);
  const errors = tasks.flatMap(({ name, error }) => (error ? [`${name}: ${error}`] : []));
  return (
    <div class="checkpoint">
      <div class="chat-actions">{children}</div>
      {next.length > 0 && <p>Next: {next.join(", ")}</p>}
      {errors.map((error) => (
        <Untrusted key={error} text={error} tag="p" class="problem" />
      ))}
      <h4>Changes since the previous checkpoint</h4>
      {found.length === 0 ? (
        <p class="quiet">The values are the same.</p>
      ) : (
        <DifferenceTable title="Changes" subject="Value" differences={found} />
      )}
      <h4>State</h4>
      <Untrusted text={JSON.stringify(values, undefined, 2)} tag="pre" />
    </div>
  );
}

function idOf({ checkpoint }: Reported): string {
  return checkpoint?.checkpoint_id ?? "";
}

function titleOf({ metadata, next = [] }: Reported): string {
  const step = metadata?.step === undefined ? "" : `Step ${metadata.step}`;
  const source = metadata?.source ?? "";
  return [step, source, next.length > 0 ? `next: ${next.join(", ")}` : "end"].filter(Boolean).join(" · ");
}

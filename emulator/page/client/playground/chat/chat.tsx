import { useEffect, useMemo, useState } from "preact/hooks";
import { playgroundHref } from "../../data/route";
import { useTools } from "../../tools";
import { AssistantChoice, useAgent } from "../agent-context";
import { Conversation } from "../agent/conversation";
import { GraphPicture } from "../graph";
import { Composer } from "./composer";
import { CopyRequest } from "./copy-request";
import { Messages } from "./messages";
import { Questions } from "./questions";
import { Steps } from "./steps";

interface ChatProps {
  threadId: string | undefined;
  /** Checkpoint from which the next run starts. */
  checkpointId: string | undefined;
}

/** Displays a conversation with an assistant: input, messages, steps, and questions. */
export function Chat({ threadId, checkpointId }: ChatProps) {
  const { client, deploymentId, assistant, url } = useAgent();
  const { act, refresh } = useTools();
  const [, setState] = useState<object>();
  const conversation = useMemo(() => new Conversation(client, setState), [client]);
  const { state } = conversation;
  const { transcript, isRunning, isLoading, next, canRetry, request } = state;

  useEffect(() => () => conversation.close(), [conversation]);
  useEffect(() => {
    if (threadId === state.threadId && checkpointId === state.forkFrom) return;
    void conversation.open(threadId, checkpointId);
  }, [threadId, checkpointId]);
  // The URL follows the conversation, so that reloading the page shows it again.
  useEffect(() => {
    if (!isRunning || !state.threadId) return;
    history.replaceState(null, "", playgroundHref(deploymentId, "chat", state.threadId));
    refresh();
  }, [isRunning, state.threadId]);

  const { assistant_id: assistantId } = assistant;
  const nodesWith = (status: string) =>
    new Set(transcript.steps.filter((step) => step.status === status).map(({ name }) => name));
  const isPaused = !isRunning && next.length > 0 && transcript.questions.length === 0;
  return (
    <div class="chat">
      <div class="chat-main">
        <div class="chat-bar">
          <AssistantChoice />
          <a
            class="link"
            href={playgroundHref(deploymentId, "chat")}
            onClick={() => void conversation.open(undefined)}
          >
            New thread
          </a>
          {state.threadId && (
            <a class="link" href={playgroundHref(deploymentId, "threads", state.threadId)}>
              State and history of {state.threadId.slice(-8)}
            </a>
          )}
        </div>
        {state.forkFrom !== undefined && (
          <p class="quiet small">
            The next run starts from checkpoint <code>{state.forkFrom.slice(0, 13)}</code> and leaves later
            ones as they are.
          </p>
        )}
        <Messages transcript={transcript} isRunning={isRunning} isLoading={isLoading} />
        {transcript.error !== undefined && (
          <p class="problem" role="alert">
            {transcript.error}
          </p>
        )}
        {!isRunning && transcript.questions.length > 0 && (
          <Questions
            questions={transcript.questions}
            onAnswer={(resume) => void conversation.run(assistantId, { command: { resume } })}
          />
        )}
        <div class="chat-actions">
          {isRunning && (
            <button
              type="button"
              class="danger"
              onClick={() => void act("The run was stopped.", () => conversation.stop())}
            >
              Stop
            </button>
          )}
          {canRetry && (
            <button type="button" onClick={() => void conversation.retry()}>
              Retry
            </button>
          )}
          {isPaused && (
            <button type="button" onClick={() => void conversation.run(assistantId, { input: null })}>
              Continue with {next.join(", ")}
            </button>
          )}
          {request && <CopyRequest url={url} request={request} />}
        </div>
        <Composer
          key={assistantId}
          isDisabled={isRunning || isLoading}
          onSubmit={(input) => void conversation.run(assistantId, { input })}
        />
      </div>
      <aside class="chat-side" aria-label="Run">
        <GraphPicture running={nodesWith("running")} visited={nodesWith("done")} />
        <Steps steps={transcript.steps} />
      </aside>
    </div>
  );
}

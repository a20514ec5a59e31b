import { useLayoutEffect, useRef } from "preact/hooks";
import { Untrusted } from "../../elements/untrusted";
import { Image } from "./image";
import { type ChatMessage, contentOf, messagesOf, type Transcript } from "../agent/transcript";

const authors: Record<string, string> = {
  human: "You",
  ai: "Assistant",
  AIMessageChunk: "Assistant",
  system: "System",
  tool: "Tool",
};
const nearEnd = 60;

interface MessagesProps {
  transcript: Transcript;
  isRunning: boolean;
  isLoading: boolean;
}

/** Displays the messages of a conversation, or the state of a graph without messages. */
export function Messages({ transcript, isRunning, isLoading }: MessagesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const wasAtEnd = useRef(true);
  const messages = messagesOf(transcript);
  const { messages: _, ...others } = transcript.values;
  const hasOthers = Object.keys(others).length > 0;
  useLayoutEffect(() => {
    const { current: log } = scroller;
    if (log && wasAtEnd.current) log.scrollTop = log.scrollHeight;
  });
  const onScroll = () => {
    const { current: log } = scroller;
    if (log) wasAtEnd.current = log.scrollHeight - log.scrollTop - log.clientHeight < nearEnd;
  };
  return (
    <div
      class="messages"
      ref={scroller}
      role="log"
      aria-label="Conversation"
      aria-busy={isRunning}
      tabIndex={0}
      onScroll={onScroll}
    >
      {messages.length === 0 && !hasOthers && (
        <p class="empty">
          {isLoading ? "Loading the thread…" : isRunning ? "Running…" : "Nothing here yet."}
        </p>
      )}
      {messages.map((message, place) => (
        <Message key={message.id ?? place} message={message} />
      ))}
      {hasOthers && (
        <details class="state" open={messages.length === 0}>
          <summary>State</summary>
          <Untrusted text={JSON.stringify(others, undefined, 2)} tag="pre" />
        </details>
      )}
    </div>
  );
}

function Message({ message }: { message: ChatMessage }) {
  const { text, images, others } = contentOf(message);
  const { type, name, tool_calls: calls = [] } = message;
  const author = authors[type] ?? type;
  return (
    <article class="chat-message" data-author={type === "AIMessageChunk" ? "ai" : type}>
      <h3>
        {author}
        {name && (
          <>
            {" "}
            <Untrusted text={name} tag="span" class="quiet" />
          </>
        )}
      </h3>
      {text !== "" && <Untrusted text={text} tag="p" class="text" />}
      {images.map((image, place) => (
        <Image key={place} image={image} />
      ))}
      {others.length > 0 && <p class="quiet small">Attached: {others.join(", ")}</p>}
      {calls.map((call, place) => (
        <details key={call.id ?? place} class="tool-call">
          <summary>
            Calls <Untrusted text={call.name} tag="span" class="tool-name" />
          </summary>
          <Untrusted text={JSON.stringify(call.args, undefined, 2)} tag="pre" />
        </details>
      ))}
    </article>
  );
}

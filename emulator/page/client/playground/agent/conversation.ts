import type { Client, Command, StreamMode, ThreadState } from "@langchain/langgraph-sdk";
import { errorText } from "../../data/error-text";
import { emptyTranscript, questionsOf, type Transcript, valuesOf, withEvent } from "./transcript";
import type { AgentRequest } from "./request-code";

const streamMode: StreamMode[] = ["values", "messages-tuple", "tasks"];

/** Input of a run, or the answer to the questions of an interrupted one. */
export interface RunInput {
  input?: unknown;
  command?: Command;
}

/** State of a conversation, as the playground shows it. */
export interface ConversationState {
  threadId: string | undefined;
  /** Checkpoint that the next run starts from, if it is not the newest one. */
  forkFrom: string | undefined;
  transcript: Transcript;
  /** Nodes that the next run executes if it has no input. */
  next: string[];
  isLoading: boolean;
  isRunning: boolean;
  canRetry: boolean;
  /** Last request to the agent, which the user can copy as code. */
  request: AgentRequest | undefined;
}

/** Conversation with an agent on one thread. */
export class Conversation {
  state: ConversationState = {
    threadId: undefined,
    forkFrom: undefined,
    transcript: emptyTranscript,
    next: [],
    isLoading: false,
    isRunning: false,
    canRetry: false,
    request: undefined,
  };
  #runId: string | undefined;
  #last:
    | { assistantId: string; input: RunInput; threadId: string | undefined; from: string | undefined }
    | undefined;
  /** Newest checkpoint of the thread. */
  #checkpoint: string | undefined;
  #abort = new AbortController();

  constructor(
    private readonly client: Client,
    private readonly onChange: (state: ConversationState) => void,
  ) {}

  /** Shows a thread, or a new conversation. Joins the run of the thread if it is busy. */
  async open(threadId: string | undefined, forkFrom?: string): Promise<void> {
    const { signal } = this.#restart();
    this.#last = undefined;
    this.#checkpoint = undefined;
    this.#set({
      threadId,
      forkFrom,
      transcript: emptyTranscript,
      next: [],
      isLoading: threadId !== undefined,
      isRunning: false,
      canRetry: false,
      request: undefined,
    });
    if (threadId === undefined) return;
    await this.#guarded(signal, async () => {
      await this.#readState(signal);
      this.#set({ isLoading: false });
      if (forkFrom !== undefined) return;
      const runId = await this.#runningId(threadId, signal);
      if (!runId) return;
      this.#runId = runId;
      this.#set({ isRunning: true });
      await this.#follow(this.client.runs.joinStream(threadId, runId, { streamMode, signal }), signal);
    });
  }

  /** Runs the assistant. Creates a thread if the conversation has none. */
  async run(assistantId: string, input: RunInput): Promise<void> {
    const { threadId, forkFrom } = this.state;
    this.#last = { assistantId, input, threadId, from: forkFrom ?? this.#checkpoint };
    await this.#run(forkFrom);
  }

  /** Repeats the last run from the checkpoint that it started from. */
  async retry(): Promise<void> {
    if (!this.#last) return;
    // A run without an earlier checkpoint is repeated on a new thread.
    if (!this.#last.from) this.#set({ threadId: undefined });
    await this.#run(this.#last.from);
  }

  /** Interrupts the current run. Its completed steps are kept. */
  async stop(): Promise<void> {
    const { threadId } = this.state;
    if (!threadId) return;
    // Some servers do not return the ID of a run that they stream.
    const runId = this.#runId ?? (await this.#runningId(threadId));
    if (runId) await this.client.runs.cancel(threadId, runId);
  }

  /** Stops reading the events of a run. A run in progress continues on the server. */
  close(): void {
    this.#abort.abort();
  }

  async #run(from: string | undefined): Promise<void> {
    const last = this.#last;
    if (!last) return;
    const { signal } = this.#restart();
    const { transcript } = this.state;
    const kept = { ...transcript, partial: [], steps: [], questions: [], error: undefined };
    this.#set({ isRunning: true, canRetry: false, transcript: kept });
    await this.#guarded(signal, async () => {
      const threadId = this.state.threadId ?? (await this.client.threads.create()).thread_id;
      this.#set({
        threadId,
        forkFrom: undefined,
        request: requestOf(threadId, last.assistantId, last.input, from),
      });
      const stream = this.client.runs.stream(threadId, last.assistantId, {
        input: (last.input.input ?? null) as Record<string, unknown> | null,
        command: last.input.command,
        streamMode,
        checkpointId: from,
        onDisconnect: "continue",
        onRunCreated: ({ run_id }) => {
          this.#runId = run_id;
        },
        signal,
      });
      await this.#follow(stream, signal);
    });
  }

  async #runningId(threadId: string, signal?: AbortSignal): Promise<string | undefined> {
    const [running] = await this.client.runs.list(threadId, { status: "running", limit: 1, signal });
    return running?.run_id;
  }

  async #follow(stream: AsyncIterable<{ event: string; data: unknown }>, signal: AbortSignal): Promise<void> {
    for await (const { event, data } of stream) {
      if (signal.aborted) return;
      this.#set({ transcript: withEvent(this.state.transcript, event, data) });
    }
    if (!signal.aborted) await this.#readState(signal);
  }

  async #readState(signal: AbortSignal): Promise<void> {
    const { threadId, forkFrom } = this.state;
    if (!threadId) return;
    // A thread without runs may have neither values nor a checkpoint.
    const state: unknown = await this.client.threads.getState(threadId, forkFrom, { signal });
    const { checkpoint, values, next, tasks } = state as Partial<ThreadState<Record<string, unknown>>>;
    this.#checkpoint = checkpoint?.checkpoint_id ?? undefined;
    const { transcript } = this.state;
    const steps = transcript.steps.map((step) =>
      step.status === "running" ? { ...step, status: "done" as const } : step,
    );
    this.#set({
      next: next ?? [],
      transcript: {
        ...transcript,
        values: valuesOf(values),
        partial: [],
        questions: questionsOf(tasks ?? []),
        steps,
      },
    });
  }

  /** Runs `work`. If it fails, shows the error, unless another action has been started in the meantime. */
  async #guarded(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      this.#set({ transcript: { ...this.state.transcript, error: errorText(error) } });
    } finally {
      if (!signal.aborted) {
        this.#runId = undefined;
        this.#set({ isRunning: false, isLoading: false, canRetry: this.#last !== undefined });
      }
    }
  }

  #restart(): AbortController {
    this.#abort.abort();
    this.#abort = new AbortController();
    return this.#abort;
  }

  #set(change: Partial<ConversationState>): void {
    this.state = { ...this.state, ...change };
    this.onChange(this.state);
  }
}

function requestOf(
  threadId: string,
  assistantId: string,
  { input, command }: RunInput,
  from: string | undefined,
): AgentRequest {
  const body = {
    assistant_id: assistantId,
    ...(command ? { command } : { input: input ?? null }),
    stream_mode: streamMode,
    ...(from !== undefined && { checkpoint_id: from }),
  };
  const path = `/threads/${threadId}/runs/stream`;
  return { method: "POST", path, body, call: "runs.stream", args: [threadId, assistantId], isStream: true };
}

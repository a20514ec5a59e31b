import { derivedId } from "../resource/ownership/derived-id";
import type { AgentServerKind } from "../resource/kind";
import { commonWords } from "../resource/plan";
import { threadInputs, type ThreadInputs } from "./inputs";
import { plan } from "./plan";
import { createThread, deleteThread, readThread, updateThread } from "./reconcile";
import { threadState, type ThreadResourceState } from "./state";

/** Threads of an agent server: `/threads`. */
export const threadKind = (): AgentServerKind<ThreadInputs, ThreadResourceState> => ({
  type: "Thread",
  livesAt: "agent server",
  inputs: threadInputs,
  outputs: threadState.outputs,
  secretMaps: [],
  omittable: { supersteps: undefined, state: undefined, metadata: undefined },
  dispensable: [],
  readState: threadState.read,
  secretTexts: () => [],
  secretCopies: () => [],
  computed: ({ threadId }, { urn }) =>
    Promise.resolve({ values: threadId === undefined ? { threadId: derivedId(urn) } : {}, findings: [] }),
  checks: () => ({ rules: () => [], questions: [] }),
  plan: ({ state, ...question }) => plan({ ...question, state }),
  words: commonWords,
  create: createThread,
  read: readThread,
  update: updateThread,
  delete: deleteThread,
});

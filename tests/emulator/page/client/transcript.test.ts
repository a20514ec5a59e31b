import { jsonDifferences } from "../../../../emulator/page/client/playground/agent/json-difference";
import {
  contentOf,
  emptyTranscript,
  messagesOf,
  withEvent,
} from "../../../../emulator/page/client/playground/agent/transcript";

const events = (...list: [event: string, data: unknown][]) =>
  list.reduce((transcript, [event, data]) => withEvent(transcript, event, data), emptyTranscript);
const human = { id: "h", type: "human", content: "hi" };

test.each([
  ["a Python server", { type: "AIMessageChunk" }],
  ["a JavaScript server", { type: "ai", tool_call_chunks: [] }],
])("combines parts of a message from %s, and replaces them with the complete message", (_, part) => {
  const streamed: [string, unknown][] = [
    ["values", { messages: [human] }],
    ["messages", [{ ...part, id: "a", content: "Good " }, {}]],
    ["messages", [{ ...part, id: "a", content: [{ type: "text", text: "day" }] }, {}]],
  ];
  const before = events(...streamed);
  expect(messagesOf(before).map((message) => contentOf(message).text)).toEqual(["hi", "Good day"]);
  const complete = { id: "a", type: "ai", content: "Good day." };
  const after = withEvent(before, "values", { messages: [human, complete] });
  expect(messagesOf(after)).toEqual([human, complete]);
  expect(messagesOf(withEvent(after, "messages", [{ ...part, id: "a", content: "late" }, {}]))).toHaveLength(
    2,
  );
});

test("returns the steps of a run with their statuses", () => {
  const { steps } = events(
    ["tasks", { id: "1", name: "plan", input: {}, triggers: [] }],
    ["tasks", { id: "2", name: "ask", input: {}, triggers: [] }],
    ["tasks", { id: "3", name: "fail", input: {}, triggers: [] }],
    ["tasks", { id: "4", name: "go on", input: {}, triggers: [] }],
    ["tasks", { id: "1", name: "plan", result: { a: 1 }, interrupts: [] }],
    ["tasks", { id: "2", name: "ask", result: [], interrupts: [{ value: "?" }] }],
    ["tasks", { id: "3", name: "fail", error: "broken", interrupts: [] }],
  );
  expect(steps.map(({ status }) => status)).toEqual(["done", "waiting", "failed", "running"]);
  expect(steps[2]!.error).toBe("broken");
});

test("keeps the values of the state when the run is interrupted", () => {
  const transcript = events(
    ["values", { topic: "a" }],
    ["values", { __interrupt__: [{ id: "q", value: "?" }] }],
  );
  expect(transcript).toMatchObject({ values: { topic: "a" }, questions: [{ id: "q", value: "?" }] });
});

test("contains the error of a failed run", () => {
  expect(events(["error", { error: "Error", message: "broken" }]).error).toBe("broken");
});

test("lists the paths of the differences between two states", () => {
  expect(
    jsonDifferences({ a: { b: 1 }, list: ["x"], same: null }, { a: { b: 2 }, list: ["x", "y"], same: null }),
  ).toEqual([
    { name: "a.b", before: "1", after: "2" },
    { name: "list[1]", before: undefined, after: "y" },
  ]);
});

test("finds images in all LangChain formats, and lists the types of other parts", () => {
  const png = { mediaType: "image/png", data: "AA==" };
  const content = [
    "a",
    { type: "text", text: "b" },
    { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
    { type: "image_url", image_url: "data:image/png;base64,AA==" },
    { type: "image", source_type: "base64", data: "AA==", mime_type: "image/png" },
    { type: "image", base64: "AA==", mimeType: "image/png" },
    { type: "image_url", image_url: { url: "https://example.com/a.png" } },
    { type: "input_audio" },
    null,
    {},
  ];
  expect(contentOf({ type: "human", content })).toEqual({
    text: "ab",
    images: [png, png, png, png],
    others: ["image_url", "input_audio", "unknown", "unknown"],
  });
});

test("accepts states that are not objects, and events without data", () => {
  const { values } = withEvent(emptyTranscript, "values", "done");
  expect(values).toEqual({ value: "done" });
  expect(withEvent(emptyTranscript, "values", [1]).values).toEqual({ value: [1] });
  expect(withEvent(emptyTranscript, "values", null).values).toEqual({});
  expect(withEvent(emptyTranscript, "messages", null)).toBe(emptyTranscript);
});

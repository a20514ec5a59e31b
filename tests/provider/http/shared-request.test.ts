import { AgentServerError } from "../../../provider/errors";
import { answerTo, SharedRequest, type OnRetry } from "../../../provider/http/shared-request";

/** Creates a request whose responses the test controls. */
function byHand() {
  const sent: {
    onRetry: OnRetry;
    signal: AbortSignal;
    answer: (text: string) => void;
    fail: (error: Error) => void;
  }[] = [];
  const send = (onRetry: OnRetry, signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
      sent.push({ onRetry, signal, answer: resolve, fail: reject });
    });
  return { sent, request: new SharedRequest("GET /v2/deployments", send, () => 0) };
}

const cancelled = new Error("cancelled");

test("ends only the wait of the caller whose signal is aborted", async () => {
  const { sent, request } = byHand();
  const [one, other] = [new AbortController(), new AbortController()];
  const ended = request.get({ signal: one.signal });
  const answered = request.get({ signal: other.signal }).catch((error: unknown) => error);
  one.abort(cancelled);
  await expect(ended).rejects.toBe(cancelled);
  sent[0]!.answer("good");
  expect(await answered).toBe("good");
  expect(sent).toHaveLength(1);
});

test("cancels the request when its last caller cancels, and sends a new one for the next", async () => {
  const { sent, request } = byHand();
  const cancel = new AbortController();
  const ended = request.get({ signal: cancel.signal });
  cancel.abort(cancelled);
  await expect(ended).rejects.toBe(cancelled);
  expect(sent[0]!.signal.reason).toBe(cancelled);
  const again = request.get();
  sent[1]!.answer("good");
  expect(await again).toBe("good");
});

test("does not report the pause of a canceled request", async () => {
  const { sent, request } = byHand();
  const cancel = new AbortController();
  const ended = request.get({ signal: cancel.signal });
  sent[0]!.onRetry(new AgentServerError("server_failed", "failing"), 1_000);
  cancel.abort(cancelled);
  await expect(ended).rejects.toBe(cancelled);
  const pauses: number[] = [];
  const again = request.get({ onRetry: (_, pauseMs) => void pauses.push(pauseMs) });
  sent[1]!.answer("good");
  await again;
  expect(pauses).toEqual([]);
});

test("keeps a response, regardless of which caller is aborted later", async () => {
  const { sent, request } = byHand();
  const first = request.get();
  sent[0]!.answer("good");
  await first;
  await expect(request.get({ signal: AbortSignal.abort(cancelled) })).rejects.toBe(cancelled);
  expect(await request.get()).toBe("good");
  expect(sent).toHaveLength(1);
});

test("does not treat an abort as a failure of another caller's request", async () => {
  const { request } = byHand();
  void request.get().catch(() => undefined);
  const cancel = new AbortController();
  const answer = answerTo(request, { signal: cancel.signal });
  cancel.abort(cancelled);
  await expect(answer).rejects.toBe(cancelled);
});

const soon = { at: 20, totalMs: 20, setBy: "rollout.timeout" };

test("limits each caller by its own deadline, while a hanging request continues for others", async () => {
  const { sent, request } = byHand();
  const hurried = request.get({ deadline: soon });
  const patient = request.get();

  await expect(hurried).rejects.toMatchObject({
    code: "timeout",
    message:
      "The timeout of 0s expired, so the wait for the response to GET /v2/deployments was canceled. Run the command again, or increase `rollout.timeout`.",
  });
  sent[0]!.answer("good");
  expect(await patient).toBe("good");
  expect(sent).toHaveLength(1);
});

test("cancels a hanging request at the deadline of its last caller", async () => {
  const { sent, request } = byHand();

  await expect(request.get({ deadline: soon })).rejects.toMatchObject({ code: "timeout" });
  expect(sent[0]!.signal.aborted).toBe(true);
});

test("rejects a caller if a pause exceeds its deadline, with the reason for the pause", async () => {
  const { sent, request } = byHand();
  const failing = new AgentServerError("server_failed", "failing");
  const hurried = request.get({ deadline: soon });
  const pauses: number[] = [];
  const patient = request.get({ onRetry: (_, pauseMs) => void pauses.push(pauseMs) });
  sent[0]!.onRetry(failing, 1_000);
  sent[0]!.answer("good");

  await expect(hurried).rejects.toBe(failing);
  expect(await patient).toBe("good");
  expect(pauses).toEqual([1_000]);
});

test("does not fail a caller with the error of another caller's request", async () => {
  const { sent, request } = byHand();
  void request.get().catch(() => undefined);
  const [paused, hanging] = [answerTo(request, { deadline: soon }), answerTo(request, {})];
  sent[0]!.onRetry(new AgentServerError("server_failed", "GET /v2/deployments/other failed"), 1_000);

  expect(await paused).toBeUndefined();
  sent[0]!.fail(new AgentServerError("request_refused", "GET /v2/deployments/other was refused"));
  expect(await hanging).toBeUndefined();
});

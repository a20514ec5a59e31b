import { AgentServerError } from "../../../provider/errors";
import { answerTo, SharedRequest, type OnRetry } from "../../../provider/http/shared-request";

/** A request that is answered by hand, each time that it is sent. */
function byHand() {
  const sent: { onRetry: OnRetry; signal: AbortSignal; answer: (text: string) => void }[] = [];
  const send = (onRetry: OnRetry, signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
      sent.push({ onRetry, signal, answer: resolve });
    });
  return { sent, request: new SharedRequest(send, () => 0) };
}

const cancelled = new Error("cancelled");

test("a waiter that is aborted ends its own wait, and nobody else's", async () => {
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

test("with the last one that waits the request ends, and whoever comes then asks anew", async () => {
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

test("a pause of a request that has ended is nobody's any more", async () => {
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

test("an answer that is there stays, whoever is aborted after it", async () => {
  const { sent, request } = byHand();
  const first = request.get();
  sent[0]!.answer("good");
  await first;
  await expect(request.get({ signal: AbortSignal.abort(cancelled) })).rejects.toBe(cancelled);
  expect(await request.get()).toBe("good");
  expect(sent).toHaveLength(1);
});

test("an abort is no failure of the request that somebody else has sent", async () => {
  const { request } = byHand();
  void request.get().catch(() => undefined);
  const cancel = new AbortController();
  const answer = answerTo(request, { signal: cancel.signal });
  cancel.abort(cancelled);
  await expect(answer).rejects.toBe(cancelled);
});

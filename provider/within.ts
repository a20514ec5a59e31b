/** The answer, or the signal's reason when that comes first; what comes later is nobody's business. */
export function within<Answer>(signal: AbortSignal | undefined, answer: Promise<Answer>): Promise<Answer> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
